//! A gzip member of a few kilobytes that unpacks to megabytes of one character (RFC 1951 with fixed codes, RFC 1952).

/// `head`, then `count` zeros as characters, then `tail`.
pub(super) fn bomb(head: &[u8], count: usize, tail: &[u8]) -> Vec<u8> {
    let mut bytes = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    let mut bits = Bits::default();
    // The only block, with fixed codes.
    bits.low(0b011, 3);
    head.iter().for_each(|byte| bits.literal(*byte));
    bits.literal(b'0');
    let repeats = (count - 1) / 258;
    for _ in 0..repeats {
        bits.repeat_258();
    }
    (0..count - 1 - repeats * 258).for_each(|_| bits.literal(b'0'));
    tail.iter().for_each(|byte| bits.literal(*byte));
    bits.high(0, 7);
    bytes.extend(bits.finish());
    let zeros = std::iter::repeat_n(b'0', count);
    bytes.extend(crc32(head.iter().copied().chain(zeros).chain(tail.iter().copied())).to_le_bytes());
    bytes.extend(u32::try_from(head.len() + count + tail.len()).unwrap_or_default().to_le_bytes());
    bytes
}

#[derive(Default)]
struct Bits {
    bytes: Vec<u8>,
    held: u32,
    count: u32,
}

impl Bits {
    /// Lowest bit first.
    fn low(&mut self, value: u32, count: u32) {
        self.held |= value << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.held.to_le_bytes()[0]);
            self.held >>= 8;
            self.count -= 8;
        }
    }

    /// Highest bit first, as codes are.
    fn high(&mut self, code: u32, count: u32) {
        self.low(code.reverse_bits() >> (32 - count), count);
    }

    fn literal(&mut self, byte: u8) {
        match byte {
            0..=143 => self.high(0x30 + u32::from(byte), 8),
            _ => self.high(0x190 + u32::from(byte) - 144, 9),
        }
    }

    /// The last byte 258 times more: length code 285, distance 1.
    fn repeat_258(&mut self) {
        self.high(0b1100_0101, 8);
        self.high(0, 5);
    }

    fn finish(mut self) -> Vec<u8> {
        if self.count > 0 {
            self.low(0, 8 - self.count);
        }
        self.bytes
    }
}

fn crc32(bytes: impl Iterator<Item = u8>) -> u32 {
    let table: Vec<u32> = (0..256)
        .map(|at| (0..8).fold(at, |value: u32, _| (value >> 1) ^ (0xedb8_8320 & (value & 1).wrapping_neg())))
        .collect();
    !bytes.fold(u32::MAX, |crc, byte| table[usize::from(crc.to_le_bytes()[0] ^ byte)] ^ (crc >> 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_known_one() {
        assert_eq!(crc32(b"123456789".iter().copied()), 0xcbf4_3926);
    }

    #[test]
    fn megabytes_take_kilobytes() {
        let packed = bomb(b"{\"a\":\"", 1 << 20, b"\"}");
        assert!(packed.len() < 8 << 10);
    }
}

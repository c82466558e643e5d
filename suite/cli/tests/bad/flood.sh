# Writes 200 MB without a line feed, then waits for the end.
head -c 200000000 /dev/zero | tr '\0' x
while read -r _; do :; done

# Reads everything and never answers.
while read -r _; do :; done

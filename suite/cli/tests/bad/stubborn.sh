# Ignores being asked to end, and never answers.
trap '' TERM INT HUP
while :; do sleep 600; done

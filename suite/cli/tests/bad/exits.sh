# Ends at once, as a server does whose configuration is missing.
echo "cannot open the database" >&2
exit 7

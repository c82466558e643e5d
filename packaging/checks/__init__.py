"""What is checked of each kind of package."""

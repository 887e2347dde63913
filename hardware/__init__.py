"""What the box is: wiring, parts, printable tray; facts.py reads its numbers. It drives nothing."""

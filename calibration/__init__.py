"""Make the reader fit this tray, this light, this dice set."""

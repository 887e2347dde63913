"""Make the second opinion's weights from rendered pictures. Not part of what is installed."""

"""What people see: Flask app, pages, server-sent events, HTTP API."""

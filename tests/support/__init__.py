"""What tests of the web application share: events made by the services, callers, and the two doors they use."""

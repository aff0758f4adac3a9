"""The only part that knows every stage; it hands results from one to the next."""

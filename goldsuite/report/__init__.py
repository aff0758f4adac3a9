"""What people see of a record: one view, several formats. Works from disk alone."""

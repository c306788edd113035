"""The database. All SQL lives here, one module per subject."""

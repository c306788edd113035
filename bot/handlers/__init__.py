"""Where things happen: one module per feature. They read, ask the core, save and show."""

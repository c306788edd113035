"""Every word a person reads: values in, a screen (text and keyboard) out."""

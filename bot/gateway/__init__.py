"""Between Telegram and a handler: nothing lost on the way in, nothing doubled on the way out."""

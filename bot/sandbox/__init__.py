"""A Bot API server on loopback that behaves like Telegram's, and the people who chat there.

For the demo, for previews and for tests. It knows nothing of the bot it serves: any client works.
"""

"""The quiz itself: values and rules. No clock, dice, files, SQL or Telegram in here."""

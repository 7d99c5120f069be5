"""The journal: every log of the server, entry by entry, behind one port with several stores."""

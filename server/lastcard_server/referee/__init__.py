"""
The referee: may this be done here, what does it lead to, and which clause decides?

Whether an act is allowed the engine says, and nobody else. What is here builds a position from what
the asker sees (`seen`, `worlds`), tells what follows (`outcome`) and cites the law (`law`): its
tables and the rows they name are TOML and JSON beside the code.
"""

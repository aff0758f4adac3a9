"""The report as one self-contained HTML file: no network, no server, no library in the page.

Text of agents, queries and warehouses gets into the page in two ways only, and both escape it by
construction: as text of an element tree (`elements`), and as JSON (`page`) that the page's own
script turns into text nodes. A content security policy lets that one script and style run.
"""

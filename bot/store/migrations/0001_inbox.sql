-- Updates received from Telegram, from before they are confirmed until duplicates can no longer
-- come. Times are milliseconds since 1970, UTC.

CREATE TABLE inbox (
    seq         INTEGER PRIMARY KEY,          -- order of arrival
    update_id   INTEGER NOT NULL UNIQUE,
    person_id   INTEGER,                      -- NULL once done, or nobody's
    received_at INTEGER NOT NULL,
    state       TEXT    NOT NULL DEFAULT 'received'
                CHECK (state IN ('received', 'applied', 'done', 'aside')),
    tries       INTEGER NOT NULL DEFAULT 0,   -- how often its handler failed
    payload     TEXT,                         -- the update as JSON; NULL once done
    calls       TEXT,                         -- what is to be told to Telegram; only while applied
    kept_until  INTEGER                       -- NULL while unfinished
) STRICT;

-- Finds the unfinished ones (NULL) at the start, and those to be swept.
CREATE INDEX inbox_kept_until ON inbox (kept_until);

-- Finds what is still kept of a person: few rows, all others hold nobody's id.
CREATE INDEX inbox_person_id ON inbox (person_id) WHERE person_id IS NOT NULL;

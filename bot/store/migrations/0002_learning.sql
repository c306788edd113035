-- Learners, their attempts and their answers. Times are milliseconds since 1970, UTC.

CREATE TABLE people (
    id            INTEGER PRIMARY KEY,  -- Telegram's user id
    locale        TEXT,                 -- chosen with /language
    language_code TEXT,                 -- as Telegram last sent it
    created_at    INTEGER NOT NULL
) STRICT;

-- AUTOINCREMENT: buttons of erased attempts must never come to mean somebody else's.
CREATE TABLE attempts (
    id                INTEGER PRIMARY KEY AUTOINCREMENT,
    person_id         INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
    quiz_id           TEXT    NOT NULL,
    seed              INTEGER NOT NULL,  -- of the option order
    plan              TEXT    NOT NULL,  -- question ids in order, space-separated
    started_at        INTEGER NOT NULL,
    shown             INTEGER NOT NULL,  -- how many questions and results were sent
    shown_at          INTEGER,           -- when the newest was
    asked             TEXT,              -- the question on the screen
    asked_fingerprint TEXT,
    selected          TEXT    NOT NULL DEFAULT '',  -- toggles so far, space-separated
    message_id        INTEGER,           -- of the newest question or result
    explained_id      INTEGER,           -- of the newest question's explanation
    finished_at       INTEGER,
    closed_at         INTEGER,           -- started over
    points            REAL    NOT NULL DEFAULT 0,
    counted           INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE UNIQUE INDEX one_open_attempt ON attempts (person_id, quiz_id)
    WHERE finished_at IS NULL AND closed_at IS NULL;
CREATE INDEX attempts_of_person ON attempts (person_id, quiz_id, id);

CREATE TABLE answers (
    attempt_id  INTEGER NOT NULL REFERENCES attempts (id) ON DELETE CASCADE,
    question_id TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,  -- the version that was asked
    chosen      TEXT    NOT NULL,  -- option ids, space-separated
    credit      REAL,              -- 0 to 1; NULL: does not count
    answered_at INTEGER NOT NULL,
    PRIMARY KEY (attempt_id, question_id)
) STRICT, WITHOUT ROWID;

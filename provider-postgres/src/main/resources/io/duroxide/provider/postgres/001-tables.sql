-- All instants are milliseconds since the epoch on the server's clock, without defaults that a node could miss.
-- Instances, queues and history hang together by instance.key, which is never used again: what belonged to a deleted
-- instance cannot reach one that was started later under the same id.

-- How much of a mailbox queue may be delivered until the next commit; queue: null for all that have no row.
CREATE TYPE @.queue_room AS (queue text, messages integer, bytes bigint);

-- stage: 0 has messages or activities only, 1 has executions, 2 is named and so exists for clients. Whoever knows the id,
-- the number or the parent asks for stage > 1: on tables that were never analyzed the planner would otherwise walk along
-- one of the indexes for listings.
-- lock_token: of the holder; null while the instance is free or merely rests until locked_until.
-- batch: the messages the holder was given; their attempt is counted when the lock is given up without a commit.
-- commit_token, committed_by: the lock under which the last commit was made, and the node that made it.
-- execution: the largest committed id; last_event, status, completed_at and pin repeat that execution for fetches.
-- Turns change no indexed column, so their updates stay within the page.
-- mailboxes: the room of its queues; null before a commit has told, or if it is that of a first execution.
-- has_parked: whether it may have messages that have no room.
CREATE TABLE @.instance (
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE,
  lock_token uuid,
  locked_until bigint NOT NULL DEFAULT 0,
  batch bigint[],
  commit_token uuid,
  committed_by bigint NOT NULL DEFAULT 0,
  execution bigint NOT NULL DEFAULT 0,
  last_event bigint NOT NULL DEFAULT 0,
  updated_at bigint NOT NULL DEFAULT 0,
  created_at bigint NOT NULL DEFAULT 0,
  completed_at bigint,
  stage smallint NOT NULL DEFAULT 0,
  has_values boolean NOT NULL DEFAULT false,
  status text COLLATE "C",
  pin text COLLATE "C",
  name text COLLATE "C",
  version text COLLATE "C",
  parent text COLLATE "C",
  parent_execution bigint,
  parent_event bigint,
  mailboxes @.queue_room[],
  has_parked boolean NOT NULL DEFAULT false
) WITH (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.02);

CREATE INDEX instance_unknown ON @.instance (key) WHERE stage = 0;
CREATE INDEX instance_created ON @.instance (created_at DESC, id) WHERE stage = 2;
CREATE INDEX instance_listed ON @.instance (name, status, created_at DESC, id) WHERE stage = 2;
CREATE INDEX instance_completed ON @.instance (completed_at, id) WHERE completed_at IS NOT NULL;
CREATE INDEX instance_parent ON @.instance (parent, key) WHERE parent IS NOT NULL;

-- version: as the last commit said that named it; start_name, start_version: as the start in its history says.
CREATE TABLE @.execution (
  instance bigint NOT NULL,
  id bigint NOT NULL,
  started_at bigint NOT NULL,
  completed_at bigint,
  carried integer,
  status text COLLATE "C" NOT NULL,
  pin text COLLATE "C",
  version text COLLATE "C",
  start_name text COLLATE "C",
  start_version text COLLATE "C",
  output text,
  PRIMARY KEY (instance, id)
) WITH (fillfactor = 80);

CREATE TABLE @.history (
  instance bigint NOT NULL,
  execution bigint NOT NULL,
  event bigint NOT NULL,
  data text NOT NULL,
  PRIMARY KEY (instance, execution, event));

-- kind: 0 other, 1 queue message, 2 start, 3 continue as new, 4 timer, 5 cancel; name, version, parent: of starts; of a timer the name
-- is the execution and the event that set it, as 1/2; of a queue message it is the queue.
-- parked: waits for a start that is not queued, and is looked at by no fetch; or its queue has no room for it, and then
-- visible_at is later by @.far(), so that nobody who looks for visible messages passes over it.
CREATE TABLE @.message (
  seq bigint GENERATED ALWAYS AS IDENTITY,
  instance bigint NOT NULL,
  visible_at bigint NOT NULL,
  created_at bigint NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  kind smallint NOT NULL,
  parked boolean NOT NULL,
  parent text COLLATE "C",
  name text COLLATE "C",
  version text COLLATE "C",
  payload text NOT NULL,
  PRIMARY KEY (instance, visible_at, seq)
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);

CREATE INDEX message_line ON @.message (visible_at, seq) WHERE NOT parked;
CREATE INDEX message_start ON @.message (instance, seq) WHERE kind IN (2, 3);
CREATE INDEX message_timer ON @.message (instance, name) WHERE kind = 4;
CREATE INDEX message_parked ON @.message (instance, name, seq) WHERE parked AND kind = 1;
CREATE INDEX message_parent ON @.message (parent) WHERE parent IS NOT NULL;

-- ready: stands in its lane; otherwise it sleeps until wake_at, when it turns visible or its lock ends.
-- tag: empty for none, otherwise the tag behind a '#'.
CREATE TABLE @.work (
  seq bigint GENERATED ALWAYS AS IDENTITY,
  instance bigint NOT NULL,
  execution bigint NOT NULL,
  activity bigint NOT NULL,
  wake_at bigint NOT NULL,
  token uuid,
  attempts integer NOT NULL,
  ready boolean NOT NULL,
  name text COLLATE "C" NOT NULL,
  tag text COLLATE "C" NOT NULL,
  session text COLLATE "C",
  payload text NOT NULL,
  PRIMARY KEY (instance, execution, activity, seq)
) WITH (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000);

CREATE INDEX work_lane ON @.work (name, tag, seq) WHERE ready AND session IS NULL;
CREATE INDEX work_session ON @.work (session, seq) WHERE ready AND session IS NOT NULL;
CREATE INDEX work_asleep ON @.work (wake_at) WHERE NOT ready;

CREATE TABLE @.session (
  id text COLLATE "C" PRIMARY KEY,
  owner text COLLATE "C" NOT NULL,
  locked_until bigint NOT NULL,
  used_at bigint NOT NULL
) WITH (fillfactor = 60);

CREATE INDEX session_owner ON @.session (owner);

CREATE TABLE @.kv_base (
  instance bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  updated_at bigint NOT NULL,
  value text NOT NULL,
  PRIMARY KEY (instance, key));

-- What the running execution has changed; a null value is a tombstone.
CREATE TABLE @.kv_delta (
  instance bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  updated_at bigint NOT NULL,
  value text,
  PRIMARY KEY (instance, key));

CREATE TABLE @.custom_status (
  instance bigint PRIMARY KEY,
  version bigint NOT NULL,
  status text);

-- Who has announced what it can run.
CREATE TABLE @.node (
  id text COLLATE "C" PRIMARY KEY,
  until bigint NOT NULL,
  offer text NOT NULL
) WITH (fillfactor = 60);

-- Which groups of sent messages arrived: asked after a connection broke before it could say so.
CREATE TABLE @.receipt (
  id uuid PRIMARY KEY,
  created_at bigint NOT NULL);

-- What nodes know of the server's clock, in one row. used: the largest time that a look has seen; last_message: no message that
-- was there then has a larger number; steps: how often the clock was set back, by how much last.
CREATE TABLE @.clock (
  id integer PRIMARY KEY,
  used bigint NOT NULL,
  last_message bigint NOT NULL,
  steps bigint NOT NULL,
  back bigint NOT NULL
) WITH (fillfactor = 60);

-- What callers hand in are rows with names: functions take them as JSON, so that one more name changes no signature.

-- delay: how long a message from outside stays hidden; null for one that a commit sends. fire_at: when a timer fires.
CREATE TYPE @.new_message AS (
  instance text, kind smallint, delay bigint, fire_at bigint, parent text, name text, version text, payload text);

-- token: of the lock with which the instance begins.
CREATE TYPE @.new_start AS (instance text, name text, version text, payload text, token uuid);

CREATE TYPE @.new_event AS (id bigint, data text);

-- instance: null for the turn's own. token, lock: of an activity that is locked from the beginning.
CREATE TYPE @.new_work AS (
  instance text, execution bigint, activity bigint, name text, tag text, session text, payload text, token uuid,
  lock bigint);

-- instance: null for the turn's own.
CREATE TYPE @.work_key AS (instance text, execution bigint, activity bigint);

-- op: 0 clears all values, and comes before the others; 1 sets one, 2 clears one. at: when it was set; null for now.
CREATE TYPE @.new_value AS (op smallint, key text, at bigint, value text);

-- The activity that ends with a turn, in place of a lock of the instance. The turn happens only if nothing else has
-- happened since the commit tip, whose last event was last.
CREATE TYPE @.turn_step AS (
  instance bigint, execution bigint, activity bigint, token uuid, tip uuid, last bigint);

-- What a turn says of its execution; name and version: of the instance, both or none; start: as the start among the events
-- says.
CREATE TYPE @.turn_note AS (
  name text, version text, parent text, parent_execution bigint, parent_event bigint, status text, output text, pin text,
  carried integer, execution_version text, start_name text, start_version text, start_carried integer);

CREATE TYPE @.turn_prune AS (keep integer, before bigint, previous integer);

-- key: null for an instance that is to be new, under this id. token: of the lock, or it only names the commit.
-- oldest, newest: the smallest and the largest event. has_status: whether
-- custom_status is to be set. changes: of values. timers: to be removed. empty: queues that must have no message besides the
-- batch. mailboxes: the room of its queues. Whatever is absent is null.
CREATE TYPE @.new_turn AS (
  key bigint, id text, token uuid, execution bigint, oldest bigint, newest bigint,
  step @.turn_step, note @.turn_note, prune @.turn_prune, has_status boolean, custom_status text,
  events @.new_event[], changes @.new_value[], work @.new_work[], cancelled @.work_key[], timers text[], empty text[],
  messages @.new_message[], mailboxes @.queue_room[]);

-- verdict: 0 committed, 1 lock lost, 2 an event is stored already, 3 something else has happened, 4 committed before.
-- key: the number of the instance. next: when a fetched one has its next message. executions, events: how many were
-- pruned; error: why none were.
CREATE TYPE @.turn_outcome AS (
  verdict integer, key bigint, next bigint, executions bigint, events bigint, error text);

-- What a node can run: ranges of pins, names of handlers, and name, separator and version of each; null admits all.
CREATE TYPE @.turn_filter AS (pin_from text[], pin_to text[], names text[], handlers text[]);

-- A look along the line: who passed, with the commit that they had and their place; who stands in line without a start; who
-- is gone; how many messages it saw, and the last of them.
CREATE TYPE @.line_look AS (
  peeked bigint[], marks uuid[], places bigint[], strays bigint[], stray_places bigint[], dead bigint[], seen bigint,
  last_at bigint, last_seq bigint);

-- The instances that a look has locked. contended: others were at some. past: some histories have to be read. large: some
-- batches do not hold all messages. full: so many bytes that others were left. seen: up to when messages were taken.
CREATE TYPE @.turns_given AS (
  keys bigint[], contended boolean, past boolean, large boolean, "full" boolean, seen bigint, last_place bigint);

-- The messages of an instance that were visible at one moment. starts: one of them begins an execution. has_mail: one is for a
-- mailbox. is_large: they are too many for one batch. bytes: what a batch of them holds at the most.
CREATE TYPE @.visible_batch AS (key bigint, seqs bigint[], starts boolean, has_mail boolean, is_large boolean, bytes bigint);

-- What a fetch of turns returns, by part:
-- 0 how it went: contended if something was ready and was left, as others may have been at it; the server's time; the next
--   change if nothing was left; waits if a message waits for the end of a turn
-- 1 a locked instance: execution, event the last one, whole if the history follows, id, name, version, token, batch
-- 2 a message of it, or one that came too late for the batch: event is its seq, name and version of a start, payload, kind,
--   attempts before this, at when it turned visible
-- 3 an event: its data as payload
-- 4 a value: its key as name, at when it was set
-- 5 messages that were dropped: event is how many, the id of their instance
CREATE TYPE @.turn_row AS (
  part smallint, key bigint, contended boolean, now bigint, next bigint, waits boolean, execution bigint, event bigint,
  whole boolean, id text, name text, version text, payload text, kind smallint, attempts integer, at bigint, token uuid,
  batch bigint[]);

-- What a worker serves, and for whom it claims how many new sessions for how long; null admits all names, all tags.
CREATE TYPE @.work_filter AS (names text[], tags text[], owner text, lease bigint, claims integer);

-- Activities at the heads of lanes: where they stand, and the sessions that they are bound to.
CREATE TYPE @.work_heads AS (places tid[], seqs bigint[], sessions text[]);

-- What a fetch has so far. claimed, refused: sessions; new: how many of them are new to the owner. lost: others were faster at
-- a session. contended: others were at something.
CREATE TYPE @.work_taken AS (
  places tid[], claimed text[], refused text[], new integer, lost boolean, contended boolean);

-- What a fetch of activities returns, by part: 0 how it went: is_left if something that was ready was left, contended if others
-- were at something, the server's time, the next change if nothing was left; 1 a locked activity, attempts with this one.
CREATE TYPE @.work_row AS (
  part smallint, is_left boolean, contended boolean, now bigint, next bigint, key bigint, execution bigint,
  activity bigint, attempts integer, id text, payload text, token uuid);

-- What a look at the clock has found, and whether it has shifted what is stored.
CREATE TYPE @.clock_look AS (now bigint, steps bigint, back bigint, shifted boolean);

-- All instants are milliseconds since the epoch on the server's clock, without defaults that a node could miss.
-- Instances, queues and history hang together by instance.key, which is never used again: what belonged to a deleted
-- instance cannot reach one that was started later under the same id.

-- stage: 0 has messages or activities only, 1 has executions, 2 is named and so exists for clients. Whoever knows the id,
-- the number or the parent asks for stage > 1: on tables that were never analyzed the planner would otherwise walk along
-- one of the indexes for listings.
-- lock_token: of the holder; null while the instance is free or merely rests until locked_until.
-- batch: the messages the holder was given; their attempt is counted when the lock is given up without a commit.
-- commit_token, committed_by: the lock under which the last commit was made, and the node that made it.
-- execution: the largest committed id; last_event, status, completed_at and pin repeat that execution for fetches.
-- held: an activity that whoever made the last commit runs, as a step of a chain. Its lock and its lane stand here for as
-- long as each step is followed by the next, which so touches no row of work; a row with activity 0 keeps its place there.
-- held_lock: for how long it was locked.
-- Turns change no indexed column, so their updates stay within the page.
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
  held_activity bigint,
  held_token uuid,
  held_until bigint,
  held_lock bigint,
  held_name text COLLATE "C",
  held_tag text COLLATE "C"
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

-- kind: 0 other, 1 queue message, 2 start, 3 continue as new; name, version, parent: of starts.
-- parked: waits for a start that is not queued, and is looked at by no fetch.
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
CREATE INDEX message_start ON @.message (instance, seq) WHERE kind >= 2;
CREATE INDEX message_parent ON @.message (parent) WHERE parent IS NOT NULL;

-- ready: stands in its lane; otherwise it sleeps until wake_at, when it turns visible or its lock ends.
-- tag: empty for none, otherwise the tag behind a '#'.
-- activity: 0 stands for the held activity of its instance, whose lock lasts at least until wake_at.
-- payload: null if it is what the event says that asked for it.
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
  payload text,
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

-- The store's time for statements that are no functions: what a test gives, otherwise the server's.
CREATE FUNCTION @.now_v1(p_now bigint) RETURNS bigint
LANGUAGE sql
AS $$ SELECT coalesce(p_now, (extract(epoch FROM clock_timestamp()) * 1000)::bigint) $$;

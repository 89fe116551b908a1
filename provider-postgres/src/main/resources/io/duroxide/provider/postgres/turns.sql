-- The attempt of a lock that ends without a commit is counted on the messages it was given for.
CREATE OR REPLACE FUNCTION @.count_attempts(p_keys bigint[]) RETURNS void
LANGUAGE sql
AS $$
  UPDATE @.message m SET attempts = m.attempts + 1
  FROM @.instance i
  WHERE i.key = ANY (p_keys) AND i.lock_token IS NOT NULL AND m.instance = i.key AND m.seq = ANY (i.batch)
$$;

-- Unknown instances that stand in line without a start. Nothing but queue messages: they are dropped, as nobody will
-- ever receive them, unless p_hold. Otherwise they leave the line until a start comes. A row for each drop.
-- p_end: only those before this place in line; null for all.
CREATE OR REPLACE FUNCTION @.drop_strays(p_now bigint, p_hold boolean, p_look @.line_look, p_end bigint)
RETURNS SETOF @.turn_row
LANGUAGE plpgsql
AS $$
DECLARE
  v_held bigint[];
  v_drop bigint[];
  v_park bigint[];
BEGIN
  WITH held AS MATERIALIZED (
    SELECT i.key FROM @.instance i
    WHERE i.key = ANY (ARRAY(
        SELECT s.key FROM unnest(p_look.strays, p_look.stray_places) s(key, place) WHERE p_end IS NULL OR s.place < p_end))
      AND i.stage = 0 AND i.locked_until <= p_now
    FOR UPDATE SKIP LOCKED)
  SELECT array_agg(h.key) INTO v_held FROM held h;
  SELECT array_agg(x.key) FILTER (WHERE x.queued AND NOT p_hold),
    array_agg(x.key) FILTER (WHERE NOT x.starts AND (p_hold OR NOT x.queued))
  INTO v_drop, v_park
  FROM (
    SELECT m.instance AS key, bool_and(m.kind = 1) AS queued, bool_or(m.kind IN (2, 3)) AS starts
    FROM @.message m WHERE m.instance = ANY (v_held) GROUP BY m.instance) x;
  UPDATE @.message m SET parked = true WHERE m.instance = ANY (v_park) AND NOT m.parked;
  RETURN QUERY
    WITH gone AS (DELETE FROM @.message m WHERE m.instance = ANY (v_drop) RETURNING m.instance)
    SELECT 5::smallint, i.key, NULL::boolean, NULL::bigint, NULL::bigint, NULL::boolean, NULL::bigint, count(*),
      NULL::boolean, i.id::text, NULL::text, NULL::text, NULL::text, NULL::smallint, NULL::integer, NULL::bigint,
      NULL::uuid, NULL::bigint[]
    FROM gone g JOIN @.instance i ON i.key = g.instance AND i.key = ANY (v_drop)
    GROUP BY i.key, i.id;
  DELETE FROM @.instance i
  WHERE i.key = ANY (v_drop) AND NOT EXISTS (SELECT FROM @.work w WHERE w.instance = i.key);
END $$;

-- The visible messages of an instance.
CREATE OR REPLACE FUNCTION @.choose_batch(p_key bigint, p_seen bigint) RETURNS SETOF @.visible_batch
LANGUAGE sql STABLE ROWS 1
AS $$
  SELECT p_key, array_agg(m.seq), bool_or(m.kind IN (2, 3)), bool_or(m.kind = 1),
    count(*) > 1024 OR sum(octet_length(m.payload)) > 4194304, least(sum(octet_length(m.payload)), 4194304)
  FROM @.message m WHERE m.instance = p_key AND m.visible_at <= p_seen
$$;

-- The messages of a batch that is not all that is visible. No join, as in consume_batch.
CREATE OR REPLACE FUNCTION @.read_batch(p_key bigint, p_seen bigint, p_batch bigint[]) RETURNS SETOF @.message
LANGUAGE sql
AS $$
  SELECT m.* FROM @.message m
  WHERE m.instance = p_key AND m.visible_at <= p_seen AND (m.seq IN (SELECT unnest(p_batch))) IS TRUE
$$;

-- What of the visible messages of an instance one batch holds, if that is not all: so many messages and bytes, in the order
-- of delivery, and whatever begins an execution or cancels it. p_seqs: the messages.
CREATE OR REPLACE FUNCTION @.cut_batch(p_key bigint, p_seen bigint, p_seqs bigint[]) RETURNS bigint[]
LANGUAGE sql
AS $$
  SELECT array_agg(b.seq)
  FROM (
    SELECT d.seq, d.kind, row_number() OVER delivered AS place, sum(d.bytes) OVER delivered AS bytes
    FROM (
      SELECT m.seq, m.kind, octet_length(m.payload) AS bytes,
        CASE m.kind WHEN 4 THEN m.visible_at
          ELSE max(m.visible_at) FILTER (WHERE m.kind <> 4) OVER (ORDER BY m.seq) END AS time
      FROM @.read_batch(p_key, p_seen, p_seqs) m) d
    WINDOW delivered AS (ORDER BY d.time, d.kind = 4, d.seq)) b
  WHERE b.place = 1 OR b.place <= 1024 AND b.bytes <= 4194304 OR b.kind IN (2, 3, 5)
$$;

-- Whether there is a handler for an orchestration. A version of 0.0.0 stands for any.
CREATE OR REPLACE FUNCTION @.is_handled(p_name text, p_version text, p_names text[], p_handlers text[]) RETURNS boolean
LANGUAGE sql IMMUTABLE
AS $$
  SELECT CASE coalesce(p_version, '0.0.0')
    WHEN '0.0.0' THEN p_name = ANY (p_names)
    ELSE p_name || chr(26) || '/' || p_version = ANY (p_handlers)
  END
$$;

-- Whether the history of an instance has to be read. p_node: whose memory has what it committed last; 0 for none.
CREATE OR REPLACE FUNCTION @.is_unknown_to(p_one @.instance, p_node bigint) RETURNS boolean
LANGUAGE sql IMMUTABLE
AS $$
  SELECT p_node = 0 OR p_one.committed_by <> p_node OR p_one.stage = 1 OR p_one.last_event = 0
$$;

-- Locks instances that have something to do, oldest message first, one for each token.
--
-- p_node: its commits are in its memory, so the history of an instance that it committed last is left out; 0 for none.
-- p_pin_from, p_pin_to: ranges of pins; null admits all. A pin that is not three numbers lies in no range.
-- p_names: names of handlers; null admits all. p_handlers: name, separator and version of each.
-- p_hold: whether queue messages for instances that nobody knows are kept.
-- p_ask: whether to say when something turns ready by itself.
-- p_again: the answer of a call with these tokens was lost; what it locked is returned now.
CREATE OR REPLACE FUNCTION @.fetch_turns(
  p_now bigint, p_tokens uuid[], p_lock bigint, p_node bigint,
  p_pin_from text[], p_pin_to text[], p_names text[], p_handlers text[], p_hold boolean,
  p_ask boolean, p_again boolean)
RETURNS SETOF @.turn_row
LANGUAGE plpgsql
@plans
AS $$
DECLARE
  v_now bigint := @.store_now(p_now);
  v_filter @.turn_filter := ROW(p_pin_from, p_pin_to, p_names, p_handlers)::@.turn_filter;
  v_wanted integer := cardinality(p_tokens);
  v_window integer := 2 * cardinality(p_tokens) + 16;
  v_first @.message;
  v_look @.line_look;
  v_given @.turns_given;
  v_all bigint[] := '{}';
  v_contended boolean := false;
  v_past boolean := p_again;
  v_large boolean := p_again;
  v_seen bigint := v_now;
BEGIN
  IF p_again THEN
    SELECT coalesce(array_agg(DISTINCT i.key), '{}'), coalesce(max(i.locked_until), v_now) INTO v_all, v_seen
    FROM @.message m JOIN @.instance i ON i.key = m.instance
    WHERE NOT m.parked AND m.visible_at <= v_now AND i.locked_until > v_now AND i.lock_token = ANY (p_tokens);
    v_contended := v_all <> '{}';
  END IF;
  -- A look along an empty line shall cost next to nothing.
  SELECT m.* INTO v_first FROM @.message m WHERE NOT m.parked AND m.visible_at <= v_now
  ORDER BY m.visible_at, m.seq LIMIT 1;
  IF v_first.seq IS NOT NULL AND NOT p_again THEN
    RETURN QUERY SELECT * FROM @.fetch_lone(p_now, v_first, p_tokens[1], p_lock, p_node, v_filter, p_ask);
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  v_look.last_at := v_first.visible_at;
  v_look.last_seq := v_first.seq - 1;
  WHILE v_look.last_at IS NOT NULL AND (v_all = '{}' OR NOT p_again) LOOP
    v_look := @.look_along(v_now, v_look, v_window, v_filter);
    v_given := NULL;
    IF v_look.peeked IS NOT NULL THEN
      v_given := @.give_turns(p_now, v_now, v_look, p_tokens[cardinality(v_all) + 1:], p_lock, p_node);
      v_all := v_all || coalesce(v_given.keys, '{}');
      v_contended := v_contended OR v_given.contended;
      v_past := v_past OR v_given.past;
      v_large := v_large OR v_given.large;
      v_seen := greatest(v_seen, v_given.seen);
    END IF;
    IF v_look.dead IS NOT NULL THEN
      -- Sent while their instance was being deleted.
      DELETE FROM @.message m WHERE m.instance = ANY (v_look.dead);
    END IF;
    IF v_look.strays IS NOT NULL THEN
      RETURN QUERY SELECT * FROM @.drop_strays(
        v_now, p_hold, v_look, CASE WHEN cardinality(v_all) = v_wanted THEN coalesce(v_given.last_place, 0) END);
    END IF;
    EXIT WHEN cardinality(v_all) = v_wanted OR v_look.seen < v_window OR (v_given.full AND v_all <> '{}');
    v_window := least(v_window * 4, 4000);
  END LOOP;
  RETURN NEXT @.tell_fetch(
    v_now, v_contended, p_ask AND (v_all = '{}' OR (cardinality(v_all) < v_wanted AND NOT v_contended)));
  IF v_all <> '{}' THEN
    RETURN QUERY SELECT * FROM @.read_turns(v_all, v_seen, p_node, v_large);
  END IF;
  IF v_all <> '{}' AND v_past THEN
    RETURN QUERY SELECT * FROM @.read_pasts(v_all, p_node);
  END IF;
END $$;

-- The first message in line, if it is the only one and its instance waits for it or begins with it: the same as what comes
-- after it in fetch_turns, with simpler statements. No rows if something is in the way, and then nothing was done.
CREATE OR REPLACE FUNCTION @.fetch_lone(
  p_now bigint, p_first @.message, p_token uuid, p_lock bigint, p_node bigint, p_filter @.turn_filter, p_ask boolean)
RETURNS SETOF @.turn_row
LANGUAGE plpgsql
AS $$
DECLARE
  v_now bigint := @.store_now(p_now);
  v_one @.instance;
  v_batch bigint[];
  v_next bigint;
  v_row @.turn_row;
BEGIN
  IF p_first.kind = 3 OR EXISTS (
    SELECT FROM @.message m
    WHERE NOT m.parked AND m.visible_at <= v_now AND (m.visible_at, m.seq) > (p_first.visible_at, p_first.seq)
    ORDER BY m.visible_at, m.seq LIMIT 1) THEN
    RETURN;
  END IF;
  SELECT i.* INTO v_one FROM @.instance i
  WHERE i.key = p_first.instance AND i.locked_until <= v_now AND i.lock_token IS NULL
    AND CASE i.stage WHEN 0 THEN p_first.kind = 2
      WHEN 2 THEN p_first.kind <> 2 AND NOT @.is_unknown_to(i, p_node) ELSE false END
    AND (p_filter.pin_from IS NULL OR i.stage = 0 OR i.pin IS NULL OR EXISTS (
      SELECT FROM unnest(p_filter.pin_from, p_filter.pin_to) r(low, high) WHERE i.pin BETWEEN r.low AND r.high
        AND i.pin ~ '^\d{19}\.\d{19}\.\d{19}$'))
  FOR NO KEY UPDATE OF i SKIP LOCKED;
  IF NOT FOUND OR p_filter.names IS NOT NULL AND NOT @.is_handled(
    CASE v_one.stage WHEN 0 THEN p_first.name ELSE v_one.name END,
    CASE v_one.stage WHEN 0 THEN p_first.version ELSE v_one.version END, p_filter.names, p_filter.handlers) THEN
    RETURN;
  END IF;
  -- Others may have given the instance more, or taken this, before it was locked.
  SELECT b.seqs INTO v_batch FROM @.choose_batch(v_one.key, @.store_now(p_now)) b;
  IF v_batch IS DISTINCT FROM ARRAY[p_first.seq]
    OR p_first.kind = 1 AND (v_one.has_parked OR (@.room(v_one.mailboxes, p_first.name)).messages = 0) THEN
    RETURN;
  END IF;
  UPDATE @.instance i SET lock_token = p_token, locked_until = v_now + p_lock, batch = v_batch WHERE i.key = v_one.key;
  IF p_ask THEN
    SELECT least(min(m.visible_at), v_now + p_lock) INTO v_next
    FROM @.message m WHERE NOT m.parked AND m.visible_at > v_now;
  END IF;
  v_row.part := 0; v_row.contended := false; v_row.now := v_now; v_row.next := v_next; v_row.waits := false;
  RETURN NEXT v_row;
  v_row := NULL;
  v_row.part := 1; v_row.key := v_one.key; v_row.execution := v_one.execution; v_row.event := v_one.last_event;
  v_row.whole := v_one.stage = 0; v_row.id := v_one.id; v_row.name := v_one.name; v_row.version := v_one.version;
  v_row.token := p_token; v_row.batch := v_batch;
  RETURN NEXT v_row;
  RETURN QUERY SELECT * FROM @.message_row(p_first);
END $$;

-- Looks along the line behind a place, without locks: who could be next?
-- p_last: the look before, which says where this one begins. p_window: how many messages to look at.
CREATE OR REPLACE FUNCTION @.look_along(p_now bigint, p_last @.line_look, p_window integer, p_filter @.turn_filter)
RETURNS @.line_look
LANGUAGE plpgsql
AS $$
DECLARE
  v_look @.line_look;
BEGIN
  WITH line AS MATERIALIZED (
    SELECT m.instance, m.visible_at, m.seq FROM @.message m
    WHERE NOT m.parked AND m.visible_at <= p_now AND (m.visible_at, m.seq) > (p_last.last_at, p_last.last_seq)
    ORDER BY m.visible_at, m.seq LIMIT p_window),
  subject AS MATERIALIZED (
    SELECT l.instance, min(l.place) AS place
    FROM (SELECT l.instance, row_number() OVER (ORDER BY l.visible_at, l.seq) AS place FROM line l) l
    GROUP BY l.instance),
  judged AS MATERIALIZED (
    SELECT s.instance, s.place, i.commit_token, i.key IS NULL AS dead, i.stage = 0 AND start.name IS NULL AS stray,
      CASE
        WHEN i.key IS NULL OR i.locked_until > p_now OR (i.stage = 0 AND start.name IS NULL) THEN false
        WHEN p_filter.pin_from IS NOT NULL AND i.stage > 0 AND NOT coalesce(
          (SELECT bool_or(coalesce(i.pin, u.pin) BETWEEN r.low AND r.high
             AND coalesce(i.pin, u.pin) ~ '^\d{19}\.\d{19}\.\d{19}$')
           FROM unnest(p_filter.pin_from, p_filter.pin_to) r(low, high) WHERE coalesce(i.pin, u.pin) IS NOT NULL),
          true) THEN false
        WHEN p_filter.names IS NULL OR coalesce(next.name, i.name, u.name, start.name) IS NULL THEN true
        WHEN next.name IS NULL AND i.stage = 2 AND i.status IN ('Completed', 'Failed') THEN true
        ELSE @.is_handled(
          coalesce(next.name, i.name, u.name, start.name),
          CASE
            WHEN next.name IS NOT NULL THEN next.version
            WHEN i.name IS NOT NULL THEN i.version
            WHEN u.name IS NOT NULL THEN u.version
            ELSE start.version
          END,
          p_filter.names, p_filter.handlers)
      END AS passes
    FROM subject s
    LEFT JOIN LATERAL (SELECT k.* FROM @.instance k WHERE k.key = s.instance OFFSET 0) i ON true
    LEFT JOIN LATERAL (
      SELECT e.pin, e.start_name AS name, e.start_version AS version FROM @.execution e
      WHERE i.stage = 1 AND e.instance = i.key ORDER BY e.id DESC LIMIT 1) u ON true
    LEFT JOIN LATERAL (
      SELECT m.name, m.version FROM @.message m
      WHERE p_filter.names IS NOT NULL AND m.instance = i.key AND m.kind IN (2, 3) AND m.visible_at <= p_now
        -- A restarted instance has no events yet, and runs what its start says.
        AND (m.kind = 3 OR i.stage = 2 AND i.last_event = 0 AND i.status NOT IN ('Completed', 'Failed'))
      ORDER BY m.kind DESC, m.seq LIMIT 1) next ON true
    LEFT JOIN LATERAL (
      SELECT m.name, m.version FROM @.message m
      WHERE i.stage < 2 AND m.instance = i.key AND m.kind IN (2, 3) AND m.visible_at <= p_now
      ORDER BY m.seq LIMIT 1) start ON true)
  SELECT
    array_agg(j.instance ORDER BY j.place) FILTER (WHERE j.passes),
    array_agg(j.commit_token ORDER BY j.place) FILTER (WHERE j.passes),
    array_agg(j.place ORDER BY j.place) FILTER (WHERE j.passes),
    array_agg(j.instance ORDER BY j.place) FILTER (WHERE j.stray),
    array_agg(j.place ORDER BY j.place) FILTER (WHERE j.stray),
    array_agg(j.instance) FILTER (WHERE j.dead),
    (SELECT count(*) FROM line),
    (SELECT l.visible_at FROM line l ORDER BY l.visible_at DESC, l.seq DESC LIMIT 1),
    (SELECT l.seq FROM line l ORDER BY l.visible_at DESC, l.seq DESC LIMIT 1)
  INTO v_look.peeked, v_look.marks, v_look.places, v_look.strays, v_look.stray_places, v_look.dead, v_look.seen,
    v_look.last_at, v_look.last_seq
  FROM judged j;
  RETURN v_look;
END $$;

-- Locks those who passed a look, in their order, passing over whom others are at and whoever went on since, and gives them
-- batches, one for each token.
CREATE OR REPLACE FUNCTION @.give_turns(
  p_now bigint, p_looked bigint, p_look @.line_look, p_tokens uuid[], p_lock bigint, p_node bigint)
RETURNS @.turns_given
LANGUAGE plpgsql
AS $$
DECLARE
  v_given @.turns_given;
  v_taken bigint[];
  v_tuples tid[];
  v_stages smallint[];
  v_batches @.visible_batch[];
  v_parked bigint[];
  v_expired boolean;
BEGIN
  WITH held AS MATERIALIZED (
    SELECT i.key, i.ctid AS tuple, i.stage, c.place, i.lock_token IS NOT NULL AS expired
    FROM unnest(p_look.peeked, p_look.marks, p_look.places) c(key, mark, place)
    JOIN @.instance i ON i.key = c.key AND i.key = ANY (p_look.peeked)
    WHERE i.locked_until <= p_looked AND i.commit_token IS NOT DISTINCT FROM c.mark
    ORDER BY c.place LIMIT cardinality(p_tokens)
    FOR NO KEY UPDATE OF i SKIP LOCKED)
  SELECT array_agg(h.key ORDER BY h.place), array_agg(h.tuple ORDER BY h.place),
    array_agg(h.stage ORDER BY h.place), max(h.place), bool_or(h.expired)
  INTO v_taken, v_tuples, v_stages, v_given.last_place, v_expired
  FROM held h;
  v_given.contended := cardinality(v_taken) IS DISTINCT FROM cardinality(p_look.peeked);
  v_given.full := false;
  -- What a commit sent to its own instance, such as its continuation, belongs to the batch of whoever comes next,
  -- also if that commit came after this look began.
  v_given.seen := greatest(p_looked, @.store_now(p_now));
  IF v_taken IS NULL THEN
    RETURN v_given;
  END IF;
  IF v_expired THEN
    PERFORM @.count_attempts(v_taken);
  END IF;
  -- What is given was there at one moment, before the mailboxes are looked at. Whatever is committed while they are waits for
  -- the next look: it must not pass messages that were parked meanwhile.
  SELECT array_agg(b ORDER BY t.ord) INTO v_batches
  FROM unnest(v_taken) WITH ORDINALITY t(key, ord) CROSS JOIN LATERAL @.choose_batch(t.key, v_given.seen) b;
  IF EXISTS (SELECT FROM unnest(v_batches) b WHERE b.has_mail) THEN
    v_parked := @.hold_back(v_given.seen, v_taken);
  END IF;
  IF v_parked IS NOT NULL THEN
    v_batches := @.left_of(v_batches, v_parked);
    SELECT array_agg(i.ctid ORDER BY t.ord) INTO v_tuples
    FROM unnest(v_taken) WITH ORDINALITY t(key, ord) JOIN @.instance i ON i.key = t.key AND i.key = ANY (v_taken);
  END IF;
  -- They are locked, so they stay where they are.
  WITH given AS (
    UPDATE @.instance i SET lock_token = p_tokens[g.ord], locked_until = p_looked + p_lock, batch = g.seqs
    FROM (
      SELECT x.tuple, row_number() OVER (ORDER BY x.place) AS ord,
        CASE WHEN x.is_large THEN @.cut_batch(x.key, v_given.seen, x.seqs) ELSE x.seqs END AS seqs, x.is_large
      FROM (
        SELECT t.key, t.tuple, t.ord AS place, t.seqs, t.is_large,
          row_number() OVER (ORDER BY t.ord) = 1 OR sum(t.bytes) OVER (ORDER BY t.ord) <= 16777216 AS fits
        FROM ROWS FROM (unnest(v_batches), unnest(v_tuples), unnest(v_stages))
          WITH ORDINALITY t(key, seqs, starts, has_mail, is_large, bytes, tuple, stage, ord)
        WHERE cardinality(t.seqs) > 0 AND (t.stage > 0 OR t.starts)) x
      WHERE x.fits) g
    WHERE i.ctid = g.tuple
    RETURNING i.key, g.ord, g.is_large, (i.has_values OR i.last_event > 0 OR i.stage = 1)
      AND @.is_unknown_to(i, p_node) AS past)
  SELECT array_agg(g.key ORDER BY g.ord), coalesce(bool_or(g.past), false), coalesce(bool_or(g.is_large), false),
    count(*) < cardinality(v_taken)
  INTO v_given.keys, v_given.past, v_given.large, v_given.full FROM given g;
  v_given.contended := v_given.contended OR v_given.full;
  RETURN v_given;
END $$;

-- What is left of batches without the messages that were parked. No join, which would compare each with each.
CREATE OR REPLACE FUNCTION @.left_of(p_batches @.visible_batch[], p_parked bigint[]) RETURNS @.visible_batch[]
LANGUAGE sql
AS $$
  SELECT array_agg(
    ROW(b.key, ARRAY(SELECT s.seq FROM unnest(b.seqs) s(seq) WHERE (s.seq IN (SELECT unnest(p_parked))) IS NOT TRUE),
      b.starts, b.has_mail, b.is_large, b.bytes)::@.visible_batch
    ORDER BY b.ordinality)
  FROM unnest(p_batches) WITH ORDINALITY b
$$;

-- How a fetch went. p_ask: whether to say when something turns ready by itself.
CREATE OR REPLACE FUNCTION @.tell_fetch(p_now bigint, p_contended boolean, p_ask boolean) RETURNS @.turn_row
LANGUAGE plpgsql
AS $$
DECLARE
  v_row @.turn_row;
BEGIN
  v_row.part := 0;
  v_row.contended := p_contended;
  v_row.now := p_now;
  v_row.waits := false;
  IF NOT p_ask THEN
    RETURN v_row;
  END IF;
  SELECT min(i.locked_until), coalesce(bool_or(NOT l.seqs <@ i.batch), false) INTO v_row.next, v_row.waits
  FROM (
    SELECT m.instance, array_agg(m.seq) AS seqs FROM (
      SELECT m.instance, m.seq FROM @.message m WHERE NOT m.parked AND m.visible_at <= p_now
      ORDER BY m.visible_at, m.seq LIMIT 500) m
    GROUP BY m.instance) l
  CROSS JOIN LATERAL (SELECT k.locked_until, k.batch FROM @.instance k WHERE k.key = l.instance OFFSET 0) i
  WHERE i.locked_until > p_now;
  -- The commit of a turn says what came for its instance meanwhile, but not what is committed at the same moment.
  SELECT least(min(m.visible_at), v_row.next, CASE WHEN v_row.waits THEN p_now + 20 END) INTO v_row.next
  FROM @.message m WHERE NOT m.parked AND m.visible_at > p_now;
  RETURN v_row;
END $$;

-- A message as fetches tell it.
CREATE OR REPLACE FUNCTION @.message_row(p_one @.message) RETURNS SETOF @.turn_row
LANGUAGE sql STABLE ROWS 1
AS $$
  SELECT 2::smallint, p_one.instance, NULL::boolean, NULL::bigint, NULL::bigint, NULL::boolean, NULL::bigint,
    p_one.seq, NULL::boolean, NULL::text, p_one.name::text, p_one.version::text, p_one.payload, p_one.kind, p_one.attempts,
    p_one.visible_at, NULL::uuid, NULL::bigint[]
$$;

-- The locked instances and their messages. p_large: some have more messages than their batch holds.
CREATE OR REPLACE FUNCTION @.read_turns(p_keys bigint[], p_seen bigint, p_node bigint, p_large boolean)
RETURNS SETOF @.turn_row
LANGUAGE plpgsql
AS $$
BEGIN
  RETURN QUERY
    SELECT 1::smallint, i.key, NULL::boolean, NULL::bigint, NULL::bigint, NULL::boolean, coalesce(u.id, i.execution),
      coalesce(u.last_event, i.last_event), @.is_unknown_to(i.one, p_node), i.id::text, coalesce(i.name, u.name)::text,
      CASE WHEN i.name IS NULL THEN u.version ELSE i.version END::text, NULL::text, NULL::smallint, NULL::integer,
      NULL::bigint, i.lock_token, i.batch
    FROM unnest(p_keys) WITH ORDINALITY t(key, ord)
    CROSS JOIN LATERAL (SELECT k.*, k AS one FROM @.instance k WHERE k.key = t.key OFFSET 0) i
    LEFT JOIN LATERAL (
      SELECT e.id, e.start_name AS name, e.start_version AS version,
        (SELECT coalesce(max(h.event), 0) FROM @.history h
         WHERE h.instance = e.instance AND h.execution = e.id) AS last_event
      FROM @.execution e WHERE i.stage = 1 AND e.instance = i.key ORDER BY e.id DESC LIMIT 1) u ON true
    ORDER BY t.ord;
  IF p_large THEN
    RETURN QUERY
      SELECT r.* FROM unnest(p_keys) t(key)
      CROSS JOIN LATERAL (SELECT k.batch FROM @.instance k WHERE k.key = t.key OFFSET 0) i
      CROSS JOIN LATERAL @.read_batch(t.key, p_seen, i.batch) m
      CROSS JOIN LATERAL @.message_row(m) r;
  ELSE
    RETURN QUERY
      SELECT r.* FROM unnest(p_keys) t(key)
      CROSS JOIN LATERAL (SELECT k AS one FROM @.message k WHERE k.instance = t.key AND k.visible_at <= p_seen OFFSET 0) m
      CROSS JOIN LATERAL @.message_row(m.one) r;
  END IF;
END $$;

-- Events and values of the locked instances whose history has to be read.
CREATE OR REPLACE FUNCTION @.read_pasts(p_keys bigint[], p_node bigint) RETURNS SETOF @.turn_row
LANGUAGE plpgsql
AS $$
BEGIN
  RETURN QUERY
    SELECT 3::smallint, h.instance, NULL::boolean, NULL::bigint, NULL::bigint, NULL::boolean, NULL::bigint, h.event,
      NULL::boolean, NULL::text, NULL::text, NULL::text, h.data, NULL::smallint, NULL::integer, NULL::bigint, NULL::uuid,
      NULL::bigint[]
    FROM unnest(p_keys) t(key)
    JOIN @.instance i ON i.key = t.key AND i.key = ANY (p_keys) AND (i.last_event > 0 OR i.stage = 1)
      AND @.is_unknown_to(i, p_node)
    CROSS JOIN LATERAL (
      SELECT e.instance, e.event, e.data FROM @.history e WHERE e.instance = i.key AND e.execution =
        CASE i.stage WHEN 1 THEN (SELECT max(x.id) FROM @.execution x WHERE x.instance = i.key) ELSE i.execution END
      OFFSET 0) h
    ORDER BY h.instance, h.event;
  RETURN QUERY
    SELECT 4::smallint, b.instance, NULL::boolean, NULL::bigint, NULL::bigint, NULL::boolean, NULL::bigint, NULL::bigint,
      NULL::boolean, NULL::text, b.key::text, NULL::text, b.value, NULL::smallint, NULL::integer, b.updated_at, NULL::uuid,
      NULL::bigint[]
    FROM unnest(p_keys) t(key)
    JOIN @.instance i ON i.key = t.key AND i.key = ANY (p_keys) AND i.has_values AND @.is_unknown_to(i, p_node)
    JOIN @.kv_base b ON b.instance = i.key AND b.instance = ANY (p_keys)
    ORDER BY b.instance, b.key;
END $$;

-- Sets the ends of locks; returns the positions of those that were still valid, and negative ones of those whose row another
-- transaction has: nobody waits for it, and the lock counts as held.
CREATE OR REPLACE FUNCTION @.renew_turns(p_now bigint, p_keys bigint[], p_tokens uuid[], p_extend bigint[])
RETURNS SETOF bigint
LANGUAGE plpgsql
@plans
AS $$
DECLARE
  v_now bigint;
  v_free bigint[];
BEGIN
  WITH free AS MATERIALIZED (
    SELECT i.key FROM @.instance i WHERE i.key = ANY (p_keys) ORDER BY i.key FOR NO KEY UPDATE SKIP LOCKED)
  SELECT array_agg(f.key) INTO v_free FROM free f;
  v_now := @.store_now(p_now);
  RETURN QUERY
    UPDATE @.instance i SET locked_until = v_now + x.extend
    FROM unnest(p_keys, p_tokens, p_extend) WITH ORDINALITY x(key, token, extend, ord)
    WHERE i.key = x.key AND i.key = ANY (v_free) AND i.lock_token = x.token AND i.locked_until > v_now
    RETURNING x.ord;
  RETURN QUERY
    SELECT -x.ord FROM unnest(p_keys, p_tokens) WITH ORDINALITY x(key, token, ord)
    JOIN @.instance i ON i.key = x.key AND i.key = ANY (p_keys) AND i.lock_token = x.token
    WHERE x.key <> ALL (coalesce(v_free, '{}'));
END $$;

-- Gives locks up; the instance rests for the delay. Also a lock that expired, if nobody took over. Returns positions.
CREATE OR REPLACE FUNCTION @.abandon_turns(
  p_now bigint, p_keys bigint[], p_tokens uuid[], p_delays bigint[], p_ignore boolean[])
RETURNS SETOF bigint
LANGUAGE plpgsql
@plans
AS $$
DECLARE
  v_now bigint;
  v_counted bigint[];
BEGIN
  PERFORM FROM @.instance i WHERE i.key = ANY (p_keys) ORDER BY i.key FOR NO KEY UPDATE;
  v_now := @.store_now(p_now);
  SELECT array_agg(i.key) INTO v_counted
  FROM unnest(p_keys, p_tokens, p_ignore) x(key, token, ignore)
  JOIN @.instance i ON i.key = x.key AND i.key = ANY (p_keys) AND i.lock_token = x.token
  WHERE x.ignore IS NOT TRUE;
  IF v_counted IS NOT NULL THEN
    PERFORM @.count_attempts(v_counted);
  END IF;
  RETURN QUERY
    UPDATE @.instance i SET lock_token = NULL, batch = NULL,
      locked_until = CASE WHEN x.delay > 0 THEN v_now + x.delay ELSE 0 END
    FROM unnest(p_keys, p_tokens, p_delays) WITH ORDINALITY x(key, token, delay, ord)
    WHERE i.key = x.key AND i.key = ANY (p_keys) AND i.lock_token = x.token
    RETURNING x.ord;
END $$;

-- There are two ways to store turns, commit_one and commit_many, for turns of every kind: of an instance that was fetched,
-- after an activity, or of an instance that is to be new. Both apply a turn with apply_turn, send its messages with send and
-- finish it with finish_turn. What a turn does not have is passed over by a branch.

-- Commits one turn.
-- p_node: whose memory has the turn. p_again: the answer of the first try was lost. p_turn: a new_turn.
CREATE OR REPLACE FUNCTION @.commit_one(p_now bigint, p_node bigint, p_again boolean, p_turn jsonb)
RETURNS @.turn_outcome
LANGUAGE plpgsql
@plans
AS $$
DECLARE
  v_turn @.new_turn := jsonb_populate_record(NULL::@.new_turn, p_turn);
  v_outcome @.turn_outcome;
BEGIN
  v_outcome := @.apply_turn(p_now, p_node, p_again, v_turn);
  IF v_outcome.verdict <> 0 THEN
    RETURN v_outcome;
  END IF;
  IF v_turn.messages IS NOT NULL THEN
    PERFORM @.send(@.store_now(p_now), v_turn.messages);
  END IF;
  IF v_turn.step IS NULL OR NOT v_turn.prune IS NULL THEN
    RETURN @.finish_turn(v_turn, v_outcome);
  END IF;
  RETURN v_outcome;
END $$;

-- Commits several turns; an outcome for each, in their order. p_turns: the turns, those of new instances behind the others
-- and by their ids, so that everyone locks and makes them in one order.
CREATE OR REPLACE FUNCTION @.commit_many(p_now bigint, p_node bigint, p_again boolean, p_turns jsonb)
RETURNS SETOF @.turn_outcome
LANGUAGE plpgsql
@plans
AS $$
DECLARE
  v_turns @.new_turn[] := ARRAY(SELECT t FROM jsonb_populate_recordset(NULL::@.new_turn, p_turns) t);
  v_outcomes @.turn_outcome[] := '{}';
  v_outcome @.turn_outcome;
  v_advanced boolean[];
  v_messages @.new_message[];
BEGIN
  PERFORM FROM @.instance i WHERE i.key = ANY (ARRAY(SELECT t.key FROM unnest(v_turns) t)) ORDER BY i.key
  FOR NO KEY UPDATE;
  v_advanced := @.advance_many(p_now, p_node, v_turns);
  FOR n IN 1 .. cardinality(v_turns) LOOP
    IF v_advanced[n] THEN
      v_outcome := NULL;
      v_outcome.verdict := 0;
      v_outcome.key := (v_turns[n]).key;
      PERFORM @.apply_rest(@.store_now(p_now), v_turns[n], true, false);
    ELSE
      v_outcome := @.apply_turn(p_now, p_node, p_again, v_turns[n]);
    END IF;
    v_outcomes := v_outcomes || v_outcome;
  END LOOP;
  SELECT array_agg(m.message) INTO v_messages
  FROM (
    SELECT unnest(t.messages) AS message FROM unnest(v_turns) WITH ORDINALITY t
    WHERE (v_outcomes[t.ordinality]).verdict = 0) m;
  IF v_messages IS NOT NULL THEN
    PERFORM @.send(@.store_now(p_now), v_messages);
  END IF;
  FOR n IN 1 .. cardinality(v_turns) LOOP
    v_outcome := v_outcomes[n];
    IF v_outcome.verdict = 0 AND NOT (v_advanced[n] AND (v_turns[n]).prune IS NULL) THEN
      v_outcome := @.finish_turn(v_turns[n], v_outcome);
    END IF;
    RETURN NEXT v_outcome;
  END LOOP;
END $$;

-- Stores a turn, but for its messages, if it may be committed.
CREATE OR REPLACE FUNCTION @.apply_turn(p_now bigint, p_node bigint, p_again boolean, p_turn @.new_turn)
RETURNS @.turn_outcome
LANGUAGE plpgsql
AS $$
DECLARE
  v_now bigint := @.store_now(p_now);
  v_outcome @.turn_outcome;
  v_one @.instance;
  v_named boolean := true;
BEGIN
  IF p_turn.key IS NULL THEN
    v_outcome := @.begin_instance(v_now, p_node, p_turn);
    p_turn.key := v_outcome.key;
  ELSIF p_turn.note IS NULL AND NOT p_turn.step IS NULL AND @.advance(p_now, p_node, p_turn) THEN
    v_outcome.verdict := 0;
    v_outcome.key := p_turn.key;
  ELSE
    SELECT i.* INTO v_one FROM @.instance i WHERE i.key = p_turn.key FOR NO KEY UPDATE;
    v_now := @.store_now(p_now);
    v_outcome.key := p_turn.key;
    v_outcome.verdict := @.judge_turn(v_now, p_again, p_turn, v_one);
    IF v_outcome.verdict = 0 THEN
      v_outcome.verdict := @.take_turn(v_now, p_node, p_turn, v_one);
    END IF;
    IF v_outcome.verdict = 0
      AND (v_one.has_parked OR EXISTS (SELECT FROM unnest(p_turn.mailboxes) r WHERE r.messages = 0))
      AND @.rearrange(v_now, p_turn.key, p_turn.mailboxes) > 0 THEN
      v_outcome.next := v_now;
    END IF;
    v_named := (p_turn.note).version IS NOT NULL OR v_one.stage = 2;
  END IF;
  IF v_outcome.verdict <> 0 THEN
    RETURN v_outcome;
  END IF;

  IF p_turn.events IS NOT NULL THEN
    INSERT INTO @.history (instance, execution, event, data)
    SELECT p_turn.key, p_turn.execution, e.id, e.data FROM unnest(p_turn.events) e;
  END IF;
  IF p_turn.work IS NOT NULL THEN
    INSERT INTO @.work (instance, execution, activity, wake_at, token, attempts, ready, name, tag, session, payload)
    SELECT CASE WHEN w.instance IS NULL THEN p_turn.key ELSE @.address_one(w.instance) END, w.execution, w.activity,
      v_now + coalesce(w.lock, 0), w.token, (w.token IS NOT NULL)::integer, w.token IS NULL, w.name, w.tag, w.session,
      w.payload
    FROM unnest(p_turn.work) w;
  END IF;
  PERFORM @.apply_rest(v_now, p_turn, v_named, v_one.has_values);
  RETURN v_outcome;
END $$;

-- Stores what few turns have: changes of values, a custom status, what they cancel and withdraw.
-- p_named: whether the instance exists for clients. p_has_values: whether it had values before.
CREATE OR REPLACE FUNCTION @.apply_rest(p_now bigint, p_turn @.new_turn, p_named boolean, p_has_values boolean)
RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  v_ends boolean := coalesce((p_turn.note).status, 'Running') <> 'Running';
BEGIN
  IF p_turn.changes IS NOT NULL THEN
    PERFORM @.change_values(p_now, p_turn.key, p_turn.changes);
  END IF;
  IF p_turn.has_status AND p_named THEN
    INSERT INTO @.custom_status AS c (instance, version, status) VALUES (p_turn.key, 1, p_turn.custom_status)
    ON CONFLICT (instance) DO UPDATE SET version = c.version + 1, status = excluded.status;
  END IF;
  IF v_ends AND (p_has_values OR p_turn.changes IS NOT NULL) THEN
    PERFORM @.merge_values(p_turn.key);
  END IF;
  IF p_turn.cancelled IS NOT NULL THEN
    PERFORM @.cancel_work(p_turn.key, p_turn.cancelled);
  END IF;
  IF v_ends OR p_turn.timers IS NOT NULL THEN
    PERFORM @.withdraw_timers(p_turn.key, p_turn.timers, CASE WHEN v_ends THEN p_turn.execution END);
  END IF;
END $$;

-- Whether nothing was committed to an instance since the commit that a step follows, and nobody has it.
CREATE OR REPLACE FUNCTION @.is_tip(p_one @.instance, p_now bigint, p_execution bigint, p_tip uuid, p_last bigint)
RETURNS boolean
LANGUAGE sql IMMUTABLE
AS $$
  SELECT p_one.commit_token = p_tip AND p_one.stage > 1 AND p_one.execution = p_execution
    AND p_one.last_event = p_last AND p_one.locked_until <= p_now
$$;

-- Commits a step to its instance if it says nothing of it: the row is locked, looked at and changed at once. False if
-- something is in the way, and then nothing was done.
CREATE OR REPLACE FUNCTION @.advance(p_now bigint, p_node bigint, p_turn @.new_turn) RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
  v_now bigint := @.store_now(p_now);
  v_step @.turn_step := p_turn.step;
BEGIN
  UPDATE @.instance i SET lock_token = NULL, locked_until = 0, batch = NULL, commit_token = p_turn.token,
    committed_by = p_node, updated_at = v_now, last_event = greatest(i.last_event, p_turn.newest)
  WHERE i.key = p_turn.key AND @.is_tip(i, v_now, p_turn.execution, v_step.tip, v_step.last)
    AND i.last_event < p_turn.oldest AND NOT i.has_parked AND i.mailboxes IS NOT DISTINCT FROM p_turn.mailboxes
    AND NOT EXISTS (SELECT FROM @.message m WHERE m.instance = p_turn.key AND m.visible_at <= v_now)
    AND EXISTS (
      SELECT FROM @.work w WHERE w.instance = v_step.instance AND w.execution = v_step.execution
      AND w.activity = v_step.activity AND w.token = v_step.token AND w.wake_at > v_now);
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- The update may have waited for others: only a lock that holds now counts.
  IF NOT @.end_activity(@.store_now(p_now), v_step) THEN
    RAISE EXCEPTION 'the lock of activity % of instance % has ended meanwhile', v_step.activity, p_turn.key
      USING ERRCODE = '40001';
  END IF;
  RETURN true;
END $$;

-- The same as advance for all steps among turns that say nothing of their instance, with their events and activities: what a
-- statement costs besides its rows adds up. Says for each turn whether it was such a step and was committed.
CREATE OR REPLACE FUNCTION @.advance_many(p_now bigint, p_node bigint, p_turns @.new_turn[]) RETURNS boolean[]
LANGUAGE plpgsql
AS $$
DECLARE
  v_now bigint := @.store_now(p_now);
  v_advanced boolean[] := array_fill(false, ARRAY[cardinality(p_turns)]);
  v_done bigint[];
  v_places tid[];
  v_tokens uuid[];
  v_sessions text[];
  v_gone bigint;
BEGIN
  WITH done AS (
    UPDATE @.instance i SET lock_token = NULL, locked_until = 0, batch = NULL, commit_token = x.token,
      committed_by = p_node, updated_at = v_now, last_event = greatest(i.last_event, x.newest)
    FROM (
      SELECT t.ordinality, t.key, t.token, t.execution, t.oldest, t.newest, t.mailboxes, (t.step).tip, (t.step).last,
        w.place, w.token AS work_token, w.session
      FROM unnest(p_turns) WITH ORDINALITY t
      CROSS JOIN LATERAL (
        SELECT w.ctid AS place, w.token, w.session FROM @.work w WHERE w.instance = (t.step).instance
        AND w.execution = (t.step).execution AND w.activity = (t.step).activity AND w.token = (t.step).token
        AND w.wake_at > v_now OFFSET 0) w
      WHERE t.note IS NULL
      OFFSET 0) x
    WHERE i.key = x.key AND @.is_tip(i, v_now, x.execution, x.tip, x.last) AND i.last_event < x.oldest
      AND NOT i.has_parked AND i.mailboxes IS NOT DISTINCT FROM x.mailboxes
      AND NOT EXISTS (SELECT FROM @.message m WHERE m.instance = x.key AND m.visible_at <= v_now OFFSET 0)
    RETURNING x.ordinality, x.place, x.work_token, x.session)
  SELECT array_agg(d.ordinality), array_agg(d.place), array_agg(d.work_token),
    array_agg(d.session) FILTER (WHERE d.session IS NOT NULL)
  INTO v_done, v_places, v_tokens, v_sessions FROM done d;
  IF v_done IS NULL THEN
    RETURN v_advanced;
  END IF;
  -- The update may have waited for others: only locks that hold now count. One that was renewed meanwhile has moved.
  v_now := @.store_now(p_now);
  DELETE FROM @.work w USING unnest(v_places, v_tokens) x(place, token)
  WHERE w.ctid = x.place AND w.token = x.token AND w.wake_at > v_now;
  GET DIAGNOSTICS v_gone = ROW_COUNT;
  IF v_gone <> cardinality(v_done) THEN
    RAISE EXCEPTION 'the lock of an activity has ended or moved meanwhile' USING ERRCODE = '40001';
  END IF;
  IF v_sessions IS NOT NULL THEN
    PERFORM @.touch_sessions(v_now, v_sessions);
  END IF;
  FOR n IN 1 .. cardinality(v_done) LOOP
    v_advanced[v_done[n]] := true;
  END LOOP;
  PERFORM @.store_parts(v_now, ARRAY(
    SELECT p_turns[n] FROM generate_subscripts(p_turns, 1) n WHERE v_advanced[n]));
  RETURN v_advanced;
END $$;

-- Stores the events and activities of turns.
CREATE OR REPLACE FUNCTION @.store_parts(p_now bigint, p_turns @.new_turn[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO @.history (instance, execution, event, data)
  SELECT t.key, t.execution, e.id, e.data FROM unnest(p_turns) t CROSS JOIN LATERAL unnest(t.events) e;
  INSERT INTO @.work (instance, execution, activity, wake_at, token, attempts, ready, name, tag, session, payload)
  SELECT CASE WHEN w.instance IS NULL THEN t.key ELSE @.address_one(w.instance) END, w.execution, w.activity,
    p_now + coalesce(w.lock, 0), w.token, (w.token IS NOT NULL)::integer, w.token IS NULL, w.name, w.tag, w.session,
    w.payload
  FROM unnest(p_turns) t CROSS JOIN LATERAL unnest(t.work) w;
END $$;

-- What is left once the messages of a turn are sent. What fails to be pruned is undone and does not harm the turn.
CREATE OR REPLACE FUNCTION @.finish_turn(p_turn @.new_turn, p_outcome @.turn_outcome) RETURNS @.turn_outcome
LANGUAGE plpgsql
AS $$
DECLARE
  v_prune @.turn_prune := p_turn.prune;
BEGIN
  IF NOT v_prune IS NULL THEN
    BEGIN
      SELECT p.o_executions, p.o_events INTO p_outcome.executions, p_outcome.events
      FROM @.prune(p_outcome.key, v_prune.keep, v_prune.before, v_prune.previous, false) p;
    EXCEPTION WHEN OTHERS THEN
      p_outcome.error := SQLERRM;
    END;
  END IF;
  -- Whoever looked for messages of a fetched instance has passed it over; nobody has done so with others.
  IF p_turn.key IS NOT NULL AND p_turn.step IS NULL THEN
    SELECT m.visible_at INTO p_outcome.next FROM @.message m WHERE m.instance = p_turn.key AND NOT m.parked
    ORDER BY m.visible_at, m.seq LIMIT 1;
  END IF;
  RETURN p_outcome;
END $$;

-- Makes an instance with all that its first turn says of it. Verdict 3 if its id is known; also if it has only messages.
CREATE OR REPLACE FUNCTION @.begin_instance(p_now bigint, p_node bigint, p_turn @.new_turn) RETURNS @.turn_outcome
LANGUAGE plpgsql
AS $$
DECLARE
  v_note @.turn_note := p_turn.note;
  v_outcome @.turn_outcome;
BEGIN
  -- To insert an id that is there would wait for whoever changes its row, and that one perhaps for this transaction.
  IF NOT EXISTS (SELECT FROM @.instance i WHERE i.id = p_turn.id) THEN
    INSERT INTO @.instance (id, commit_token, committed_by, execution, last_event, updated_at, created_at, completed_at,
      stage, status, pin, name, version, parent, parent_execution, parent_event, mailboxes)
    VALUES (p_turn.id, p_turn.token, p_node, p_turn.execution, p_turn.newest, p_now, p_now,
      CASE WHEN v_note.status <> 'Running' THEN p_now END, 2, coalesce(v_note.status, 'Running'), v_note.pin, v_note.name,
      v_note.version, v_note.parent, v_note.parent_execution, v_note.parent_event, p_turn.mailboxes)
    ON CONFLICT (id) DO NOTHING RETURNING key INTO v_outcome.key;
  END IF;
  IF v_outcome.key IS NOT NULL THEN
    v_outcome.verdict := 0;
    p_turn.key := v_outcome.key;
    PERFORM @.note_execution(p_now, p_turn, true);
    RETURN v_outcome;
  END IF;
  -- The first try may have been committed although its answer was lost.
  SELECT i.key INTO v_outcome.key FROM @.instance i WHERE i.id = p_turn.id AND i.commit_token = p_turn.token;
  v_outcome.verdict := CASE WHEN v_outcome.key IS NULL THEN 3 ELSE 4 END;
  RETURN v_outcome;
END $$;

-- Whether a turn may be committed to its instance, which is locked; a verdict as in turn_outcome.
CREATE OR REPLACE FUNCTION @.judge_turn(p_now bigint, p_again boolean, p_turn @.new_turn, p_one @.instance) RETURNS integer
LANGUAGE plpgsql
AS $$
DECLARE
  v_step @.turn_step := p_turn.step;
  v_lost integer := CASE WHEN p_again AND p_one.commit_token = p_turn.token THEN 4 ELSE 1 END;
BEGIN
  IF v_step IS NULL THEN
    IF p_one.lock_token IS DISTINCT FROM p_turn.token OR p_one.locked_until <= p_now THEN
      RETURN v_lost;
    END IF;
  ELSIF @.is_tip(p_one, p_now, p_turn.execution, v_step.tip, v_step.last) IS NOT TRUE
    OR EXISTS (SELECT FROM @.message m WHERE m.instance = p_turn.key AND m.visible_at <= p_now) THEN
    RETURN CASE
      WHEN EXISTS (
        SELECT FROM @.work w WHERE w.instance = v_step.instance AND w.execution = v_step.execution
        AND w.activity = v_step.activity AND w.token = v_step.token AND w.wake_at > p_now) THEN 3
      ELSE v_lost
    END;
  END IF;
  -- A clock that was set back since does not hide what was sent without a delay.
  IF p_turn.empty IS NOT NULL AND EXISTS (
    SELECT FROM @.message m
    WHERE m.instance = p_turn.key AND m.kind = 1 AND m.name = ANY (p_turn.empty)
      AND m.visible_at - CASE WHEN m.visible_at >= @.far() THEN @.far() ELSE 0 END <= greatest(p_now, m.created_at)
      AND (m.seq = ANY (p_one.batch)) IS NOT TRUE) THEN
    RETURN 3;
  END IF;
  IF (p_one.stage = 1 OR p_one.stage = 2 AND (p_turn.oldest <= p_one.last_event OR p_turn.execution <> p_one.execution))
    AND EXISTS (
      SELECT FROM unnest(p_turn.events) e
      CROSS JOIN LATERAL (
        SELECT FROM @.history h
        WHERE h.instance = p_turn.key AND h.execution = p_turn.execution AND h.event = e.id OFFSET 0) h) THEN
    RETURN 2;
  END IF;
  RETURN 0;
END $$;

-- Removes what a turn has used up, its activity or the messages of its batch, and notes it at its instance, which is locked.
-- Verdict 1 if the lock of the activity has ended, and then nothing was done.
CREATE OR REPLACE FUNCTION @.take_turn(p_now bigint, p_node bigint, p_turn @.new_turn, p_one @.instance) RETURNS integer
LANGUAGE plpgsql
AS $$
BEGIN
  IF p_turn.step IS NULL THEN
    PERFORM @.consume_batch(p_one);
  ELSIF NOT @.end_activity(p_now, p_turn.step) THEN
    RETURN 1;
  END IF;
  IF p_turn.note IS NULL AND p_one.stage = 2 AND p_one.execution = p_turn.execution THEN
    UPDATE @.instance i SET lock_token = NULL, locked_until = 0, batch = NULL, commit_token = p_turn.token,
      committed_by = p_node, updated_at = p_now, last_event = greatest(i.last_event, p_turn.newest),
      mailboxes = p_turn.mailboxes
    WHERE i.key = p_turn.key;
    RETURN 0;
  END IF;
  PERFORM @.note_execution(p_now, p_turn, p_one.stage = 0);
  PERFORM @.note_instance(p_now, p_node, p_turn);
  IF p_one.stage = 0 THEN
    UPDATE @.message m SET parked = false WHERE m.instance = p_turn.key AND m.visible_at < @.far() AND m.parked;
  END IF;
  RETURN 0;
END $$;

-- Removes an activity whose lock holds; false if it does not.
CREATE OR REPLACE FUNCTION @.end_activity(p_now bigint, p_step @.turn_step) RETURNS boolean
LANGUAGE plpgsql
AS $$
DECLARE
  v_session text;
BEGIN
  DELETE FROM @.work w
  WHERE w.instance = p_step.instance AND w.execution = p_step.execution AND w.activity = p_step.activity
    AND w.token = p_step.token AND w.wake_at > p_now
  RETURNING w.session INTO v_session;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF v_session IS NOT NULL THEN
    PERFORM @.touch_sessions(p_now, ARRAY[v_session]);
  END IF;
  RETURN true;
END $$;

-- Removes the messages that the holder of an instance was given. They were visible before the lock ends; by a clock that was
-- set back since, they may not be visible now, nor before the end of a lock that was renewed since.
CREATE OR REPLACE FUNCTION @.consume_batch(p_one @.instance) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  v_gone integer;
BEGIN
  IF cardinality(p_one.batch) <= 16 THEN
    DELETE FROM @.message m
    WHERE m.instance = p_one.key AND m.visible_at < p_one.locked_until AND m.seq = ANY (p_one.batch);
  ELSE
    -- No join, which would compare each message with each of the batch: a table of hashes is made of the batch.
    DELETE FROM @.message m
    WHERE m.instance = p_one.key AND m.visible_at < p_one.locked_until
      AND (m.seq IN (SELECT unnest(p_one.batch))) IS TRUE;
  END IF;
  GET DIAGNOSTICS v_gone = ROW_COUNT;
  IF v_gone < cardinality(p_one.batch) THEN
    DELETE FROM @.message m WHERE m.instance = p_one.key AND (m.seq IN (SELECT unnest(p_one.batch))) IS TRUE;
  END IF;
END $$;

-- Notes what a turn says of its execution, which is made if it is new. p_first: there are none yet.
CREATE OR REPLACE FUNCTION @.note_execution(p_now bigint, p_turn @.new_turn, p_first boolean) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  v_note @.turn_note := p_turn.note;
BEGIN
  IF NOT p_first AND NOT v_note IS NULL THEN
    UPDATE @.execution e SET
      status = coalesce(v_note.status, e.status),
      output = CASE WHEN v_note.status IS NULL THEN e.output ELSE v_note.output END,
      completed_at = CASE WHEN v_note.status IS NULL THEN e.completed_at WHEN v_note.status <> 'Running' THEN p_now END,
      pin = coalesce(v_note.pin, e.pin),
      carried = coalesce(v_note.carried, e.carried, v_note.start_carried),
      version = coalesce(v_note.execution_version, e.version),
      start_name = coalesce(e.start_name, v_note.start_name),
      start_version = CASE WHEN e.start_name IS NULL THEN v_note.start_version ELSE e.start_version END
    WHERE e.instance = p_turn.key AND e.id = p_turn.execution;
    IF FOUND THEN
      RETURN;
    END IF;
  END IF;
  INSERT INTO @.execution (instance, id, started_at, completed_at, carried, status, pin, version, start_name,
    start_version, output)
  VALUES (p_turn.key, p_turn.execution, p_now, CASE WHEN v_note.status <> 'Running' THEN p_now END,
    coalesce(v_note.carried, v_note.start_carried), coalesce(v_note.status, 'Running'), v_note.pin,
    v_note.execution_version, v_note.start_name, v_note.start_version,
    CASE WHEN v_note.status IS NOT NULL THEN v_note.output END)
  ON CONFLICT (instance, id) DO NOTHING;
END $$;

-- Notes a turn at its instance, if the turn says something of it or begins an execution.
CREATE OR REPLACE FUNCTION @.note_instance(p_now bigint, p_node bigint, p_turn @.new_turn) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  v_note @.turn_note := p_turn.note;
  v_named boolean := v_note.version IS NOT NULL;
BEGIN
  UPDATE @.instance i SET
    lock_token = NULL, locked_until = 0, batch = NULL, commit_token = p_turn.token, committed_by = p_node,
    updated_at = p_now, mailboxes = p_turn.mailboxes,
    stage = CASE WHEN v_named OR i.stage = 2 THEN 2 ELSE 1 END,
    name = CASE WHEN v_named THEN v_note.name ELSE i.name END,
    version = coalesce(v_note.version, i.version),
    parent = CASE WHEN v_named AND i.stage < 2 THEN v_note.parent ELSE i.parent END,
    parent_execution = CASE WHEN v_named AND i.stage < 2 THEN v_note.parent_execution ELSE i.parent_execution END,
    parent_event = CASE WHEN v_named AND i.stage < 2 THEN v_note.parent_event ELSE i.parent_event END,
    created_at = CASE WHEN v_named AND i.stage < 2 THEN p_now ELSE i.created_at END,
    execution = greatest(i.execution, p_turn.execution),
    last_event = CASE
      WHEN i.stage = 2 AND p_turn.execution = i.execution THEN greatest(i.last_event, p_turn.newest)
      WHEN i.stage = 2 AND p_turn.execution < i.execution THEN i.last_event
      WHEN i.stage = 0 THEN p_turn.newest
      -- The events of the turn are not there yet.
      ELSE greatest(CASE WHEN p_turn.execution >= i.execution THEN p_turn.newest ELSE 0 END, (
        SELECT max(h.event) FROM @.history h
        WHERE h.instance = i.key AND h.execution = greatest(i.execution, p_turn.execution)))
    END,
    (status, completed_at, pin) = (
      SELECT e.status, e.completed_at, e.pin FROM @.execution e
      WHERE e.instance = i.key AND e.id = greatest(i.execution, p_turn.execution) AND (v_named OR i.stage = 2))
  WHERE i.key = p_turn.key;
END $$;

-- Values are written beside those the execution began with, so that a replay does not see them too early.
CREATE OR REPLACE FUNCTION @.change_values(p_now bigint, p_key bigint, p_changes @.new_value[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  IF (p_changes[1]).op = 0 THEN
    UPDATE @.kv_delta d SET value = NULL, updated_at = p_now WHERE d.instance = p_key;
    INSERT INTO @.kv_delta (instance, key, updated_at)
    SELECT b.instance, b.key, p_now FROM @.kv_base b WHERE b.instance = p_key
    ON CONFLICT (instance, key) DO NOTHING;
  END IF;
  INSERT INTO @.kv_delta (instance, key, updated_at, value)
  SELECT p_key, c.key, coalesce(c.at, p_now), c.value FROM unnest(p_changes) c WHERE c.op > 0
  ON CONFLICT (instance, key) DO UPDATE SET updated_at = excluded.updated_at, value = excluded.value;
  UPDATE @.instance i SET has_values = true WHERE i.key = p_key AND NOT i.has_values;
END $$;

-- An execution has ended: its values become those the next one begins with.
CREATE OR REPLACE FUNCTION @.merge_values(p_key bigint) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  INSERT INTO @.kv_base (instance, key, updated_at, value)
  SELECT d.instance, d.key, d.updated_at, d.value FROM @.kv_delta d WHERE d.instance = p_key AND d.value IS NOT NULL
  ON CONFLICT (instance, key) DO UPDATE SET updated_at = excluded.updated_at, value = excluded.value;
  DELETE FROM @.kv_base b USING @.kv_delta d
  WHERE d.instance = p_key AND d.value IS NULL AND b.instance = p_key AND b.key = d.key;
  DELETE FROM @.kv_delta d WHERE d.instance = p_key;
END $$;

-- Removes activities, in the order in which everyone locks them. p_key: the instance of those that name none.
CREATE OR REPLACE FUNCTION @.cancel_work(p_key bigint, p_cancelled @.work_key[]) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  WITH held AS MATERIALIZED (
    SELECT w.instance, w.execution, w.activity, w.seq
    FROM (
      SELECT CASE WHEN c.instance IS NULL THEN p_key ELSE (SELECT i.key FROM @.instance i WHERE i.id = c.instance) END
        AS instance, c.execution, c.activity
      FROM unnest(p_cancelled) c OFFSET 0) c
    JOIN @.work w ON w.instance = c.instance AND w.execution = c.execution AND w.activity = c.activity
    ORDER BY 1, 2, 3, 4
    FOR UPDATE OF w)
  DELETE FROM @.work w USING held h
  WHERE w.instance = h.instance AND w.execution = h.execution AND w.activity = h.activity AND w.seq = h.seq;
END $$;

-- Removes timers: those named, and all of an execution that has ended.
CREATE OR REPLACE FUNCTION @.withdraw_timers(p_key bigint, p_timers text[], p_ended bigint) RETURNS void
LANGUAGE plpgsql
AS $$
BEGIN
  IF p_timers IS NOT NULL THEN
    DELETE FROM @.message m USING unnest(p_timers) t(name)
    WHERE m.instance = p_key AND m.kind = 4 AND m.name = t.name;
  END IF;
  IF p_ended IS NOT NULL THEN
    DELETE FROM @.message m
    WHERE m.instance = p_key AND m.kind = 4 AND m.name >= p_ended || '/' AND m.name < p_ended || '0';
  END IF;
END $$;

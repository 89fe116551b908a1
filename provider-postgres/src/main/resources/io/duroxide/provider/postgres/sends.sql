-- What a client sends to one instance, if the instance can take it. The row of the instance is locked before it is decided, so a
-- message is accepted before the commit that ends its instance, or refused after it.
-- p_rule: what to do with the start if the instance is there: 0 leave it out, 1 refuse, 2 restart what has ended; null without a
-- start. p_hold: whether messages alone are kept for an instance that nobody knows. p_start, p_messages: rows new_message.
-- Returns 0 accepted, 1 has ended, 2 unknown, 3 exists. The receipt, which only what was accepted leaves, tells a repeated call that the
-- first one was; p_settled: receipts of calls that were answered.
CREATE OR REPLACE FUNCTION @.send_checked(
  p_now bigint, p_receipt uuid, p_settled uuid[],
  p_id text, p_rule integer, p_hold boolean, p_delay bigint, p_start jsonb, p_messages jsonb)
RETURNS integer
LANGUAGE plpgsql
@plans
AS $$
DECLARE
  v_now bigint;
  v_one @.instance;
  v_start @.new_message;
  v_messages @.new_message[] := ARRAY(SELECT m FROM jsonb_populate_recordset(NULL::@.new_message, p_messages) m);
  v_ended boolean;
  v_there boolean;
BEGIN
  DELETE FROM @.receipt r WHERE r.id = ANY (p_settled);
  IF EXISTS (SELECT FROM @.receipt r WHERE r.id = p_receipt) THEN
    RETURN 0;
  END IF;
  SELECT i.* INTO v_one FROM @.instance i WHERE i.id = p_id FOR NO KEY UPDATE;
  IF v_one.key IS NULL THEN
    IF p_rule IS NULL AND NOT p_hold THEN
      RETURN 2;
    END IF;
    PERFORM @.address_one(p_id);
    SELECT i.* INTO v_one FROM @.instance i WHERE i.id = p_id;
  END IF;
  v_now := @.store_now(p_now);
  v_ended := v_one.stage = 2 AND v_one.status IN ('Completed', 'Failed');
  v_there := v_one.stage > 0 OR EXISTS (SELECT FROM @.message m WHERE m.instance = v_one.key AND m.kind IN (2, 3));
  IF p_rule = 1 AND v_there THEN
    RETURN 3;
  ELSIF v_ended AND coalesce(p_rule, 0) = 0 THEN
    RETURN 1;
  ELSIF p_rule IS NULL AND NOT v_there AND NOT p_hold THEN
    RETURN 2;
  END IF;
  INSERT INTO @.receipt (id, created_at) VALUES (p_receipt, v_now);
  IF v_ended OR NOT v_there AND p_rule IS NOT NULL THEN
    v_start := jsonb_populate_record(NULL::@.new_message, p_start);
    v_start.delay := CASE WHEN v_ended THEN 0 ELSE p_delay END;
    v_messages := v_start || v_messages;
  END IF;
  IF v_ended THEN
    PERFORM @.restart(v_now, v_one.key, p_delay);
  END IF;
  IF v_messages <> '{}' THEN
    PERFORM @.send(v_now, v_messages);
  END IF;
  RETURN 0;
END $$;

-- Begins the next execution of an instance that has ended and is locked; its start brings the first event. Starts that no parent
-- waits for found the instance. With a delay it rests, and whoever has it has lost it.
CREATE OR REPLACE FUNCTION @.restart(p_now bigint, p_key bigint, p_delay bigint) RETURNS void
LANGUAGE plpgsql
AS $$
DECLARE
  v_next bigint;
BEGIN
  SELECT e.id + 1 INTO v_next FROM @.execution e WHERE e.instance = p_key ORDER BY e.id DESC LIMIT 1;
  INSERT INTO @.execution (instance, id, started_at, status) VALUES (p_key, v_next, p_now, 'Running');
  UPDATE @.instance i SET execution = v_next, last_event = 0, status = 'Running', completed_at = NULL, pin = NULL,
    parent = NULL, parent_execution = NULL, parent_event = NULL, commit_token = NULL, committed_by = 0, updated_at = p_now
  WHERE i.key = p_key;
  UPDATE @.custom_status c SET version = c.version + 1, status = NULL WHERE c.instance = p_key AND c.status IS NOT NULL;
  DELETE FROM @.message m WHERE m.instance = p_key AND m.kind IN (2, 3) AND m.kind = 2 AND m.parent IS NULL;
  IF p_delay > 0 THEN
    PERFORM @.count_attempts(ARRAY[p_key]);
    UPDATE @.instance i SET lock_token = NULL, batch = NULL, locked_until = p_now + p_delay WHERE i.key = p_key;
  END IF;
END $$;

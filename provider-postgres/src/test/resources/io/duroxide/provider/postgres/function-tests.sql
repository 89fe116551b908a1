-- A test for each function of the store. A line that begins with two hyphens and a colon names the function and what the last
-- statement returns. FunctionTest runs each after the statements of "given", in a transaction that it undoes.

--: given
INSERT INTO @.instance (key, id, stage, name, version, status, execution, last_event, commit_token, committed_by,
  lock_token, locked_until, batch)
OVERRIDING SYSTEM VALUE VALUES
  (1, 'free', 2, 'Order', '1', 'Running', 1, 2, '00000000-0000-0000-0000-000000000001', 7, NULL, 0, NULL),
  (2, 'told', 0, NULL, NULL, NULL, 0, 0, NULL, 0, NULL, 0, NULL),
  (3, 'taken', 2, 'Order', '1', 'Running', 1, 1, '00000000-0000-0000-0000-000000000003', 7,
    '00000000-0000-0000-0000-00000000000a', 1000, '{31}');
INSERT INTO @.execution (instance, id, started_at, status) VALUES (1, 1, 0, 'Running'), (3, 1, 0, 'Running');
INSERT INTO @.history (instance, execution, event, data) VALUES (1, 1, 1, 'e1'), (1, 1, 2, 'e2'), (3, 1, 1, 'e1');
INSERT INTO @.message (seq, instance, visible_at, created_at, kind, parked, name, payload) OVERRIDING SYSTEM VALUE VALUES
  (21, 2, 0, 0, 0, true, NULL, 'waits'), (31, 3, 5, 5, 1, false, NULL, 'given'), (32, 3, 6, 6, 1, false, NULL, 'late'),
  (33, 3, 900, 6, 4, false, '1/8', 'timer');
INSERT INTO @.work (seq, instance, execution, activity, wake_at, token, attempts, ready, name, tag, session, payload)
OVERRIDING SYSTEM VALUE VALUES
  (41, 1, 1, 2, 1000, '00000000-0000-0000-0000-00000000000b', 1, false, 'Charge', '', NULL, 'runs'),
  (42, 1, 1, 3, 0, NULL, 0, true, 'Charge', '', NULL, 'ready'),
  (43, 1, 1, 4, 0, NULL, 0, true, 'Charge', '', 'cart', 'bound');
INSERT INTO @.session (id, owner, locked_until, used_at) VALUES ('cart', 'me', 1000, 1);
SELECT setval('@.instance_key_seq', 100), setval('@.message_seq_seq', 100), setval('@.work_seq_seq', 100);

--: store_now 10
SELECT @.store_now(10);

--: shift_times 1 2 900 996 996 996
SELECT @.shift_times(4, 5, 32);
SELECT concat_ws(' ', (SELECT string_agg(m.visible_at::text, ' ' ORDER BY m.seq) FROM @.message m WHERE m.instance = 3),
  (SELECT i.locked_until FROM @.instance i WHERE i.key = 3), (SELECT w.wake_at FROM @.work w WHERE w.seq = 41),
  (SELECT s.locked_until FROM @.session s));

--: look_at_clock 5000 1 5000 -4000
SELECT @.look_at_clock(10000, NULL, NULL, 5000);
SELECT @.look_at_clock(5000, 10000, 0, 5000);
SELECT concat_ws(' ', c.used, c.steps, c.back, i.locked_until) FROM @.clock c, @.instance i WHERE i.key = 3;

--: commit_one 3 e3 2
SELECT o.verdict FROM @.commit_one(10, 7, false, '{"key": 1,
  "token": "00000000-0000-0000-0000-0000000000ff", "execution": 1, "oldest": 3, "newest": 3,
  "step": {"instance": 1, "execution": 1, "activity": 2, "token": "00000000-0000-0000-0000-00000000000b",
    "tip": "00000000-0000-0000-0000-000000000001", "last": 2}, "events": [{"id": 3, "data": "e3"}]}') o;
SELECT concat_ws(' ', i.last_event, h.data, (SELECT count(*) FROM @.work))
FROM @.instance i JOIN @.history h ON h.instance = i.key AND h.event = i.last_event WHERE i.key = 1;

--: commit_many 0 6,1 NULL,0 NULL
SELECT string_agg(o.verdict || ' ' || coalesce(o.next::text, 'NULL'), ',') FROM @.commit_many(10, 7, false, '[
  {"key": 3, "token": "00000000-0000-0000-0000-00000000000a", "execution": 1, "oldest": 2, "newest": 2,
    "events": [{"id": 2, "data": "e2"}]},
  {"key": 1, "token": "00000000-0000-0000-0000-00000000000a", "execution": 1, "oldest": 2, "newest": 2},
  {"id": "new", "token": "00000000-0000-0000-0000-0000000000fe", "execution": 1, "oldest": 1, "newest": 1,
    "note": {"name": "Order", "version": "1"}, "events": [{"id": 1, "data": "e1"}],
    "messages": [{"instance": "told", "kind": 2, "fire_at": 0, "name": "Order", "payload": "start"}]}]') o;

--: apply_turn 2
SELECT o.verdict FROM @.apply_turn(10, 7, false, jsonb_populate_record(NULL::@.new_turn, '{"key": 3, "execution": 1,
  "token": "00000000-0000-0000-0000-00000000000a", "oldest": 1, "newest": 1, "events": [{"id": 1, "data": "e1"}]}')) o;

--: is_tip true false
SELECT concat_ws(' ',
  @.is_tip(i, 10, 1, '00000000-0000-0000-0000-000000000001', 2)::text, @.is_tip(i, 10, 1, i.commit_token, 1)::text)
FROM @.instance i WHERE i.key = 1;

--: advance false
SELECT @.advance(10, 7, jsonb_populate_record(NULL::@.new_turn, '{"key": 1, "execution": 1, "oldest": 3, "newest": 3,
  "token": "00000000-0000-0000-0000-0000000000ff",
  "step": {"instance": 1, "execution": 1, "activity": 2, "token": "00000000-0000-0000-0000-00000000000c",
    "tip": "00000000-0000-0000-0000-000000000001", "last": 2}}'))::text;

--: apply_rest begun 1 2
SELECT @.apply_rest(10, jsonb_populate_record(NULL::@.new_turn, '{"key": 3, "has_status": true, "custom_status": "begun",
  "changes": [{"op": 1, "key": "a", "value": "1"}], "timers": ["1/8"]}'), true, false);
SELECT concat_ws(' ', (SELECT status FROM @.custom_status), (SELECT count(*) FROM @.kv_delta),
  (SELECT count(*) FROM @.message WHERE instance = 3));

--: advance_many {t,f}
SELECT @.advance_many(10, 7, ARRAY(SELECT t FROM jsonb_populate_recordset(NULL::@.new_turn, '[
  {"key": 1, "token": "00000000-0000-0000-0000-0000000000ff", "execution": 1, "oldest": 3, "newest": 3,
    "step": {"instance": 1, "execution": 1, "activity": 2, "token": "00000000-0000-0000-0000-00000000000b",
      "tip": "00000000-0000-0000-0000-000000000001", "last": 2}, "events": [{"id": 3, "data": "e3"}]},
  {"key": 3, "token": "00000000-0000-0000-0000-00000000000a", "execution": 1, "oldest": 2, "newest": 2}]') t));

--: store_parts e3 4
SELECT @.store_parts(10, ARRAY(SELECT t FROM jsonb_populate_recordset(NULL::@.new_turn, '[
  {"key": 1, "execution": 1, "events": [{"id": 3, "data": "e3"}],
    "work": [{"execution": 1, "activity": 9, "name": "Charge", "tag": "", "payload": "{}"}]}]') t));
SELECT concat_ws(' ', (SELECT data FROM @.history WHERE event = 3), (SELECT count(*) FROM @.work));

--: finish_turn 5
SELECT (@.finish_turn(jsonb_populate_record(NULL::@.new_turn, '{"key": 3}'), ROW(0, 3, NULL, NULL, NULL, NULL))).next;

--: begin_instance 3 0
SELECT concat_ws(' ', (SELECT verdict FROM @.begin_instance(10, 7, t)), (SELECT verdict FROM @.begin_instance(10, 7, u)))
FROM jsonb_populate_record(NULL::@.new_turn, '{"id": "told"}') t,
  jsonb_populate_record(NULL::@.new_turn, '{"id": "new", "execution": 1, "newest": 0, "note": {"name": "O"}}') u;

--: judge_turn 0 1 4
SELECT concat_ws(' ', @.judge_turn(10, false, t, i), @.judge_turn(2000, false, t, i),
  @.judge_turn(10, true, jsonb_populate_record(t, '{"token": "00000000-0000-0000-0000-000000000003"}'), i))
FROM @.instance i, jsonb_populate_record(NULL::@.new_turn,
  '{"key": 3, "execution": 1, "token": "00000000-0000-0000-0000-00000000000a", "oldest": 2, "newest": 2}') t
WHERE i.key = 3;

--: take_turn 0
SELECT @.take_turn(10, 7, jsonb_populate_record(NULL::@.new_turn, '{"key": 3, "execution": 1, "newest": 2,
  "token": "00000000-0000-0000-0000-00000000000a"}'), i) FROM @.instance i WHERE i.key = 3;

--: end_activity true false
SELECT concat_ws(' ', @.end_activity(10, s)::text, @.end_activity(10, s)::text) FROM jsonb_populate_record(
  NULL::@.turn_step, '{"instance": 1, "execution": 1, "activity": 2, "token": "00000000-0000-0000-0000-00000000000b"}') s;

--: consume_batch 32,33
UPDATE @.instance SET locked_until = 4 WHERE key = 3;
SELECT @.consume_batch(i) FROM @.instance i WHERE i.key = 3;
SELECT string_agg(seq::text, ',' ORDER BY seq) FROM @.message WHERE instance = 3;

--: note_execution Completed 10
SELECT @.note_execution(10, jsonb_populate_record(NULL::@.new_turn,
  '{"key": 1, "execution": 1, "note": {"status": "Completed", "output": "o"}}'), false);
SELECT concat_ws(' ', status, completed_at) FROM @.execution WHERE instance = 1;

--: note_instance 2 Order 5
SELECT @.note_instance(10, 7, jsonb_populate_record(NULL::@.new_turn,
  '{"key": 2, "execution": 1, "newest": 5, "note": {"name": "Order", "version": "1"}}'));
SELECT concat_ws(' ', stage, name, last_event) FROM @.instance WHERE key = 2;

--: change_values a:NULL b:1
INSERT INTO @.kv_base (instance, key, updated_at, value) VALUES (1, 'a', 0, 'old');
SELECT @.change_values(10, 1, ARRAY(SELECT v FROM jsonb_populate_recordset(NULL::@.new_value,
  '[{"op": 0}, {"op": 1, "key": "b", "value": "1"}]') v));
SELECT string_agg(key || ':' || coalesce(value, 'NULL'), ' ' ORDER BY key) FROM @.kv_delta WHERE instance = 1;

--: merge_values b:1
INSERT INTO @.kv_base (instance, key, updated_at, value) VALUES (1, 'a', 0, 'old');
INSERT INTO @.kv_delta (instance, key, updated_at, value) VALUES (1, 'a', 0, NULL), (1, 'b', 0, '1');
SELECT @.merge_values(1);
SELECT string_agg(key || ':' || value, ' ') FROM @.kv_base WHERE instance = 1;

--: cancel_work 3,4
SELECT @.cancel_work(1, ARRAY(SELECT k FROM jsonb_populate_recordset(NULL::@.work_key,
  '[{"execution": 1, "activity": 2}, {"instance": "nobody", "execution": 1, "activity": 3}]') k));
SELECT string_agg(activity::text, ',' ORDER BY activity) FROM @.work;

--: withdraw_timers 2
SELECT @.withdraw_timers(3, ARRAY['1/9'], 1);
SELECT count(*) FROM @.message WHERE instance = 3;

--: address 1 f,101 t
SELECT string_agg(a.k || ' ' || left(a.u::text, 1), ',') FROM (
  SELECT unnest(x.o_keys) AS k, unnest(x.o_unknown) AS u FROM @.address(ARRAY['free', 'new'], ARRAY[1, NULL]) x) a;

--: address_one 2
SELECT @.address_one('told');

--: visible_at 15 20 20 10
SELECT concat_ws(' ', @.visible_at(10, 5, 0), @.visible_at(10, 5, 20), @.visible_at(10, NULL, 20),
  @.visible_at(10, NULL, 0));

--: far true
SELECT (@.far() > 4102444800000)::text;

--: room 64 5 0
SELECT concat_ws(' ', (@.room(NULL, 'a')).messages, (@.room(r.rooms, 'a')).messages, (@.room(r.rooms, 'b')).messages)
FROM (SELECT ARRAY[ROW(NULL, 5, 100)::@.queue_room, ROW('b', 0, 0)::@.queue_room] AS rooms) r;

--: held_back {f,t,f}
UPDATE @.instance SET mailboxes = ARRAY[ROW(NULL, 5, 100)::@.queue_room, ROW('b', 0, 0)::@.queue_room] WHERE key = 1;
SELECT @.held_back(10, ARRAY(SELECT m FROM jsonb_populate_recordset(NULL::@.new_message,
  '[{"kind": 1, "name": "a"}, {"kind": 1, "name": "b"}, {"kind": 0, "name": "b"}]') m), ARRAY[1, 1, 1]);

--: hold_back 31 t
UPDATE @.message SET name = 'a' WHERE instance = 3 AND kind = 1;
UPDATE @.instance SET mailboxes = ARRAY[ROW(NULL, 1, 100)::@.queue_room] WHERE key = 3;
SELECT @.hold_back(10, ARRAY[3]);
SELECT concat_ws(' ', m.seq, left(i.has_parked::text, 1)) FROM @.message m JOIN @.instance i ON i.key = m.instance
WHERE i.key = 3 AND m.visible_at <= 10;

--: rearrange 0 1 32
UPDATE @.message SET name = 'a', parked = seq = 32, visible_at = CASE WHEN seq = 32 THEN @.far() ELSE 0 END + 5
WHERE instance = 3 AND kind = 1;
SELECT concat_ws(' ', @.rearrange(10, 3, ARRAY[ROW(NULL, 0, 0)::@.queue_room]),
  (SELECT @.rearrange(10, 3, ARRAY[ROW(NULL, 1, 100)::@.queue_room])), 32);

--: start_message new 2 5
SELECT concat_ws(' ', m.instance, m.kind, m.delay) FROM @.start_message('new', 5, NULL, 'Order', '1', '{}') m;

--: outcome_message free 0
SELECT concat_ws(' ', m.instance, m.kind) FROM @.outcome_message('free', '{}') m;

--: send free:false,new:true,told:false,told:false
SELECT @.send(10, ARRAY(SELECT m FROM jsonb_populate_recordset(NULL::@.new_message,
  '[{"instance": "free", "kind": 0, "payload": "1"}, {"instance": "new", "kind": 0, "payload": "2"},
    {"instance": "told", "kind": 2, "name": "Order", "payload": "3"}]') m));
SELECT string_agg(i.id || ':' || m.parked, ',' ORDER BY i.id) FROM @.message m JOIN @.instance i ON i.key = m.instance
WHERE i.id <> 'taken';

--: send_starts 1
SELECT @.send_starts(10, ARRAY[@.start_message('new', 0, NULL, 'O', '1', '{}'), @.start_message('told', 0, NULL, 'O', '1', '{}')]);

--: park {t,f}
SELECT @.park(ARRAY[@.outcome_message('told', '{}'), @.outcome_message('free', '{}')], ARRAY[2, 1], ARRAY[true, false]);

--: is_first true false
SELECT concat_ws(' ', @.is_first(10, '00000000-0000-0000-0000-0000000000aa', NULL)::text,
  @.is_first(10, '00000000-0000-0000-0000-0000000000aa', NULL)::text);

--: enqueue 1
SELECT @.enqueue(10, '00000000-0000-0000-0000-0000000000aa', NULL, '[{"instance": "free", "kind": 1, "payload": "1"}]');
SELECT @.enqueue(10, '00000000-0000-0000-0000-0000000000aa', NULL, '[{"instance": "free", "kind": 1, "payload": "1"}]');
SELECT count(*) FROM @.message WHERE instance = 1;

--: prune 1 1
INSERT INTO @.execution (instance, id, started_at, status) VALUES (1, 2, 0, 'Running');
UPDATE @.execution SET status = 'ContinuedAsNew', completed_at = 5 WHERE instance = 1 AND id = 1;
UPDATE @.instance SET execution = 2 WHERE key = 1;
DELETE FROM @.history WHERE instance = 1 AND event = 2;
SELECT concat_ws(' ', p.o_executions, p.o_events) FROM @.prune(1, 1, NULL, NULL, true) p;

--: status free Running
SELECT concat_ws(' ', s.o_id, s.o_status) FROM @.status(ARRAY['free', 'told']) s;

--: start_new true false
SELECT concat_ws(' ',
  @.start_new(10, '00000000-0000-0000-0000-0000000000aa', NULL, 'told', 0, NULL, 'Order', '1', '{}')::text,
  @.start_new(10, '00000000-0000-0000-0000-0000000000ab', NULL, 'told', 0, NULL, 'Order', '1', '{}')::text);

--: start_taken 101 NULL
SELECT string_agg(coalesce(s.o_key::text, 'NULL'), ' ') FROM @.start_taken(10, '00000000-0000-0000-0000-0000000000aa', NULL,
  '[{"instance": "new", "name": "O", "payload": "{}", "token": "00000000-0000-0000-0000-0000000000ac"},
    {"instance": "told", "name": "O", "payload": "{}", "token": "00000000-0000-0000-0000-0000000000ad"}]', 100) s;

--: count_attempts 1,0
SELECT @.count_attempts(ARRAY[3]);
SELECT string_agg(attempts::text, ',' ORDER BY seq) FROM @.message WHERE seq IN (31, 32);

--: drop_strays told 1
UPDATE @.message SET kind = 1 WHERE seq = 21;
SELECT concat_ws(' ', d.id, d.event) FROM @.drop_strays(10, false,
  jsonb_populate_record(NULL::@.line_look, '{"strays": [2], "stray_places": [1]}'), NULL) d;

--: choose_batch {31,32} f 9
SELECT concat_ws(' ', b.seqs, left(b.starts::text, 1), b.bytes) FROM @.choose_batch(3, 10) b;

--: cut_batch {31,32}
SELECT @.cut_batch(3, 10, '{31, 32}');

--: left_of 3 {31},1 {}
SELECT string_agg(concat_ws(' ', b.key, b.seqs), ',') FROM unnest(@.left_of(
  ARRAY[ROW(3, '{31, 32}', false, true, false, 9), ROW(1, '{1}', false, true, false, 1)]::@.visible_batch[], '{32, 1}')) b;

--: read_batch late
SELECT m.payload FROM @.read_batch(3, 10, '{32, 33}') m;

--: is_handled true false true
SELECT concat_ws(' ', @.is_handled('A', '1', '{A}', ARRAY['A' || chr(26) || '/1'])::text,
  @.is_handled('A', '2', '{A}', ARRAY['A' || chr(26) || '/1'])::text, @.is_handled('A', NULL, '{A}', '{}')::text);

--: is_unknown_to false true true
SELECT concat_ws(' ', @.is_unknown_to(i, 7)::text, @.is_unknown_to(i, 8)::text, @.is_unknown_to(i, 0)::text)
FROM @.instance i WHERE i.key = 1;

--: fetch_turns 0 1 2 2
UPDATE @.instance SET lock_token = NULL, locked_until = 0, batch = NULL WHERE key = 3;
SELECT string_agg(f.part::text, ' ' ORDER BY f.part) FROM @.fetch_turns(10,
  ARRAY['00000000-0000-0000-0000-0000000000aa']::uuid[], 100, 7, NULL, NULL, NULL, NULL, false, true, false) f;

--: fetch_lone 0 1 2
UPDATE @.instance SET lock_token = NULL, locked_until = 0, batch = NULL WHERE key = 3;
DELETE FROM @.message WHERE seq = 32;
SELECT string_agg(f.part::text, ' ' ORDER BY f.part) FROM @.message m CROSS JOIN LATERAL @.fetch_lone(
  10, m, '00000000-0000-0000-0000-0000000000aa', 100, 7, NULL, false) f WHERE m.seq = 31;

--: look_along {3} 2
UPDATE @.instance SET lock_token = NULL, locked_until = 0, batch = NULL WHERE key = 3;
SELECT concat_ws(' ', l.peeked, l.seen) FROM @.look_along(10,
  jsonb_populate_record(NULL::@.line_look, '{"last_at": 0, "last_seq": 0}'), 10, NULL) l;

--: give_turns {3} false
UPDATE @.instance SET lock_token = NULL, locked_until = 0, batch = NULL WHERE key = 3;
SELECT concat_ws(' ', g.keys, g.contended::text) FROM @.give_turns(10, 10, jsonb_populate_record(NULL::@.line_look,
  '{"peeked": [3], "marks": ["00000000-0000-0000-0000-000000000003"], "places": [1]}'),
  ARRAY['00000000-0000-0000-0000-0000000000aa']::uuid[], 100, 7) g;

--: tell_fetch 30 true
SELECT concat_ws(' ', t.next, t.waits::text) FROM @.tell_fetch(10, false, true) t;

--: message_row 2 31 given
SELECT concat_ws(' ', r.part, r.event, r.payload) FROM @.message m CROSS JOIN LATERAL @.message_row(m) r WHERE m.seq = 31;

--: read_turns 1 taken,2 given,2 late
SELECT string_agg(r.part || ' ' || coalesce(r.id, r.payload), ',' ORDER BY r.part, r.event)
FROM @.read_turns(ARRAY[3], 10, 7, false) r;

--: read_pasts 3 e1
SELECT string_agg(r.part || ' ' || r.payload, ',') FROM @.read_pasts(ARRAY[3], 0) r;

--: renew_turns 1 110
SELECT @.renew_turns(10, ARRAY[3], ARRAY['00000000-0000-0000-0000-00000000000a']::uuid[], ARRAY[100]);
SELECT concat_ws(' ', count(*), max(locked_until)) FROM @.instance WHERE key = 3;

--: abandon_turns 20 1
SELECT @.abandon_turns(10, ARRAY[3], ARRAY['00000000-0000-0000-0000-00000000000a']::uuid[], ARRAY[10], NULL);
SELECT concat_ws(' ', i.locked_until, m.attempts) FROM @.instance i, @.message m WHERE i.key = 3 AND m.seq = 31;

--: touch_sessions 10
SELECT @.touch_sessions(10, ARRAY['cart', 'none']);
SELECT used_at FROM @.session;

--: enqueue_work 101
SELECT @.enqueue_work(10, '00000000-0000-0000-0000-0000000000aa', NULL, ARRAY['new'], ARRAY[1], ARRAY[2], ARRAY['Charge'],
  ARRAY[''], NULL, ARRAY['{}']);
SELECT max(instance) FROM @.work;

--: fetch_work false false,ready,bound
SELECT string_agg(coalesce(f.payload, f.is_left || ' ' || f.contended), ',' ORDER BY f.part, f.activity) FROM @.fetch_work(10,
  ARRAY['00000000-0000-0000-0000-0000000000aa', '00000000-0000-0000-0000-0000000000ab']::uuid[], 100, NULL, NULL, 'me', 100, 1,
  true, false) f;

--: wake_work 3 0
SELECT @.wake_work(2000);
SELECT concat_ws(' ', count(*), max(wake_at)) FROM @.work WHERE ready;

--: look_at_lanes {42} {42,43}
SELECT concat_ws(' ', (SELECT h.seqs FROM @.look_at_lanes(10, ROW(NULL, NULL, NULL, 0, 0)::@.work_filter, 10, '{}') h),
  (SELECT h.seqs FROM @.look_at_lanes(10, ROW(NULL, NULL, 'me', 100, 1)::@.work_filter, 10, '{}') h));

--: take_work 1 false
SELECT concat_ws(' ', cardinality(t.places), t.contended::text) FROM @.take_work(
  (SELECT ROW(ARRAY[w.ctid], ARRAY[w.seq], ARRAY[NULL])::@.work_heads FROM @.work w WHERE w.seq = 42), 1,
  jsonb_populate_record(NULL::@.work_taken, '{"contended": false}')) t;

--: take_bound_work 1 {cart}
SELECT concat_ws(' ', cardinality(t.places), t.claimed) FROM @.take_bound_work(10,
  ROW(NULL, NULL, 'me', 100, 0)::@.work_filter,
  (SELECT ROW(ARRAY[w.ctid], ARRAY[w.seq], ARRAY[w.session])::@.work_heads FROM @.work w WHERE w.seq = 43), 1,
  jsonb_populate_record(NULL::@.work_taken, '{"places": [], "claimed": [], "refused": [], "new": 0, "contended": false}')) t;

--: claim_session {cart} {}
SELECT concat_ws(' ', t.refused, t.claimed) FROM @.claim_session(10, ROW(NULL, NULL, 'you', 100, 1)::@.work_filter, 'cart',
  jsonb_populate_record(NULL::@.work_taken, '{"claimed": [], "refused": [], "new": 0}')) t;

--: next_work 1000
SELECT @.next_work(10, 'me');

--: lock_work 1 ready 1
SELECT concat_ws(' ', l.part, l.payload, l.attempts) FROM @.lock_work((SELECT ARRAY[w.ctid] FROM @.work w WHERE w.seq = 42),
  ARRAY['00000000-0000-0000-0000-0000000000aa']::uuid[], 110) l;

--: ack_work 2 1
SELECT @.ack_work(10, ARRAY[1], ARRAY[1], ARRAY[2], ARRAY['00000000-0000-0000-0000-00000000000b']::uuid[], ARRAY['free'],
  ARRAY['done']);
SELECT concat_ws(' ', (SELECT count(*) FROM @.work), (SELECT count(*) FROM @.message WHERE instance = 1));

--: renew_work 110
SELECT @.renew_work(10, ARRAY[1], ARRAY[1], ARRAY[2], ARRAY['00000000-0000-0000-0000-00000000000b']::uuid[], ARRAY[100]);
SELECT wake_at FROM @.work WHERE seq = 41;

--: abandon_work true 0
SELECT @.abandon_work(10, ARRAY[1], ARRAY[1], ARRAY[2], ARRAY['00000000-0000-0000-0000-00000000000b']::uuid[], ARRAY[0],
  ARRAY[true]);
SELECT concat_ws(' ', ready::text, attempts) FROM @.work WHERE seq = 41;

--: send_checked 2 0 0 1
INSERT INTO @.instance (key, id, stage, name, version, status, execution) OVERRIDING SYSTEM VALUE
VALUES (4, 'over', 2, 'Order', '1', 'Failed', 1);
SELECT concat_ws(' ',
  @.send_checked(10, gen_random_uuid(), '{}', 'told', NULL, false, 0, NULL, '[{"instance": "told", "kind": 1, "delay": 0, "fire_at": 0, "name": "q", "payload": "p"}]'),
  @.send_checked(10, gen_random_uuid(), '{}', 'told', NULL, true, 0, NULL, '[{"instance": "told", "kind": 1, "delay": 0, "fire_at": 0, "name": "q", "payload": "p"}]'),
  @.send_checked(10, gen_random_uuid(), '{}', 'free', NULL, false, 0, NULL, '[{"instance": "free", "kind": 1, "delay": 0, "fire_at": 0, "name": "q", "payload": "p"}]'),
  @.send_checked(10, gen_random_uuid(), '{}', 'over', NULL, true, 0, NULL, '[]'));

--: restart 2 0 Running 15
SELECT @.restart(10, 1, 5);
SELECT concat_ws(' ', i.execution, i.last_event, i.status, i.locked_until) FROM @.instance i WHERE i.key = 1;

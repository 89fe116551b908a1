-- What clients ask for most: how instances are. Those that do not exist are left out.
CREATE OR REPLACE FUNCTION @.status(p_ids text[])
RETURNS TABLE (
  o_id text, o_execution bigint, o_status text, o_output text, o_custom text, o_custom_version bigint, o_updated_at bigint)
LANGUAGE plpgsql STABLE
@plans
AS $$
BEGIN
  RETURN QUERY
    SELECT i.id, i.execution, i.status, e.output, c.status, coalesce(c.version, 0), i.updated_at
    FROM @.instance i
    LEFT JOIN LATERAL (
      SELECT x.output FROM @.execution x WHERE x.instance = i.key AND x.id = i.execution OFFSET 0) e ON true
    LEFT JOIN LATERAL (
      SELECT x.status, x.version FROM @.custom_status x WHERE x.instance = i.key OFFSET 0) c ON true
    WHERE i.id = ANY (p_ids) AND i.stage > 1;
END $$;

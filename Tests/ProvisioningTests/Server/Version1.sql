-- A database that init-db of version 1 of the tables prepared: pg_dump --inserts of PostgreSQL 15, without comments
SET check_function_bodies = false;

CREATE SCHEMA nfctool;

CREATE FUNCTION nfctool.ask(p_plan integer, p_station integer, p_uid bytea, p_claims integer, p_lease double precision, p_counts boolean) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    v_row json;
    v_refusal json;
    v_claims json;
BEGIN
    PERFORM nfctool.require_mine(p_plan);
    -- A write, and so a wait for the disk: not with each question.
    UPDATE nfctool.station SET seen = now() WHERE id = p_station AND seen < now() - interval '5 s';
    IF p_uid IS NOT NULL THEN
        SELECT nfctool.row_facts(r) INTO v_row FROM nfctool.plan_row r WHERE plan = p_plan AND uid = p_uid;
        IF NOT FOUND THEN
            SELECT json_build_object('uid', encode(t.uid, 'hex'), 'chip', t.chip, 'reader', t.reader, 'cause', t.cause,
    'reason', t.reason, 'quarantined', t.is_quarantined, 'time', to_char(t.time AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) INTO v_refusal FROM nfctool.refused_tag t
            WHERE plan = p_plan AND uid = p_uid;
        END IF;
    END IF;
    IF p_claims > 0 AND v_row IS NULL AND (v_refusal->>'quarantined') IS DISTINCT FROM 'true' THEN
        v_claims := nfctool.claim_rows(p_plan, p_station, p_claims, p_lease);
    END IF;
    RETURN json_build_object('row', v_row, 'refusal', v_refusal, 'claims', v_claims,
        'counts', CASE WHEN p_counts THEN nfctool.counts(p_plan) END);
END
$$;

CREATE FUNCTION nfctool.begin_plan(p_name text, p_file text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    v_id integer;
BEGIN
    -- Another station may be at it: then this waits, and finds it done.
    INSERT INTO nfctool.plan (owner, name, file, sha256, recipe, begun)
    VALUES (session_user, p_name, p_file, '', '[]', now()) RETURNING id INTO v_id;
    RETURN v_id;
EXCEPTION WHEN unique_violation THEN
    RAISE EXCEPTION 'exists' USING ERRCODE = 'NF003';
END
$$;

CREATE FUNCTION nfctool.bind(p_plan integer, p_station integer, p_number integer, p_tag json, p_claims integer, p_lease double precision, p_counts boolean) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    r nfctool.plan_row;
    v_uid bytea := decode(p_tag->>'uid', 'hex');
    v_other integer;
    v_quarantined boolean;
    v_result text := 'bound';
BEGIN
    PERFORM nfctool.require_mine(p_plan);
    SELECT * INTO r FROM nfctool.plan_row WHERE plan = p_plan AND number = p_number FOR UPDATE;
    IF NOT FOUND THEN RETURN json_build_object('result', 'noSuchRow'); END IF;
    SELECT number INTO v_other FROM nfctool.plan_row WHERE plan = p_plan AND uid = v_uid;
    SELECT is_quarantined INTO v_quarantined FROM nfctool.refused_tag WHERE plan = p_plan AND uid = v_uid;
    IF v_other IS NOT NULL OR v_quarantined OR r.state <> 'pending' THEN
        v_result := 'refused';
    ELSIF r.claimant <> p_station AND r.claimed_until >= now() THEN
        v_result := 'claimed';
    ELSE
        BEGIN
            UPDATE nfctool.plan_row
            SET state = 'bound', uid = v_uid, chip = p_tag->>'chip', reader = p_tag->>'reader',
                bound = (p_tag->>'bound')::timestamptz, station = p_station, claimant = NULL,
                claimed_until = NULL, message_length = NULL, sha256 = NULL, signature = NULL, seconds = NULL,
                reason = NULL, changed = clock_timestamp(), version = version + 1
            WHERE plan = p_plan AND number = p_number;
        EXCEPTION WHEN unique_violation THEN
            -- Another station bound the tag in this moment.
            SELECT number INTO v_other FROM nfctool.plan_row WHERE plan = p_plan AND uid = v_uid;
            v_result := 'refused';
        END;
    END IF;
    IF v_result = 'bound' THEN
        IF v_quarantined IS NOT NULL THEN
            DELETE FROM nfctool.refused_tag WHERE plan = p_plan AND uid = v_uid;
        END IF;
        PERFORM nfctool.count_step(p_plan, p_station, r.seal, 'pending', 'bound');
    END IF;
    RETURN json_build_object('result', v_result, 'tagRow', v_other, 'quarantined', coalesce(v_quarantined, false),
        'row', (SELECT nfctool.row_facts(n) FROM nfctool.plan_row n WHERE plan = p_plan AND number = p_number),
        'claims', CASE WHEN p_claims > 0 AND v_result = 'bound'
            THEN nfctool.claim_rows(p_plan, p_station, p_claims, p_lease) END,
        'counts', CASE WHEN p_counts THEN nfctool.counts(p_plan) END);
END
$$;

CREATE FUNCTION nfctool.change(p_plan integer, p_station integer, p_steps json, p_all boolean, p_counts boolean) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    s record;
    r nfctool.plan_row;
    v_result text;
    v_results json[] := '{}';
BEGIN
    PERFORM nfctool.require_mine(p_plan);
    FOR s IN SELECT * FROM json_to_recordset(p_steps) AS (
        number integer, version bigint, uid text, state text, length bigint, sha256 text, signature text,
        seconds double precision, reason text, refusal json)
    LOOP
        SELECT * INTO r FROM nfctool.plan_row WHERE plan = p_plan AND number = s.number FOR UPDATE;
        IF NOT FOUND THEN
            v_result := 'moved';
        ELSIF r.uid IS NOT DISTINCT FROM decode(s.uid, 'hex') AND (p_station IS NULL OR r.station = p_station)
            AND r.version = coalesce(s.version, r.version)
        THEN
            IF r.state <> s.state
                AND NOT EXISTS (SELECT FROM nfctool.legal_step WHERE from_state = r.state AND to_state = s.state)
            THEN
                RAISE EXCEPTION 'A row that is % does not become %.', r.state, s.state USING ERRCODE = '23514';
            END IF;
            UPDATE nfctool.plan_row
            SET state = s.state, version = version + 1, changed = clock_timestamp(), reason = s.reason,
                message_length = s.length, sha256 = s.sha256, signature = s.signature, seconds = s.seconds,
                uid = CASE WHEN s.state <> 'pending' THEN uid END,
                chip = CASE WHEN s.state <> 'pending' THEN chip END,
                reader = CASE WHEN s.state <> 'pending' THEN reader END,
                bound = CASE WHEN s.state <> 'pending' THEN bound END,
                station = CASE WHEN s.state <> 'pending' THEN station END
            WHERE plan = p_plan AND number = s.number;
            PERFORM nfctool.count_step(p_plan, p_station, r.seal, r.state, s.state);
            v_result := 'done';
        ELSIF p_station IS NOT NULL AND (s.state = 'pending'
            OR r.version > s.version AND r.uid = decode(s.uid, 'hex') AND r.station = p_station)
        THEN
            v_result := 'done';
        ELSE
            v_result := 'moved';
        END IF;
        IF s.refusal IS NOT NULL AND v_result = 'done' THEN
            PERFORM nfctool.keep_refusal(p_plan, p_station, s.refusal);
        END IF;
        IF p_all AND v_result <> 'done' THEN
            RAISE EXCEPTION 'changed meanwhile' USING ERRCODE = 'NF002';
        END IF;
        v_results := v_results || json_build_object('number', s.number, 'result', v_result);
    END LOOP;
    RETURN json_build_object('results', to_json(v_results),
        'counts', CASE WHEN p_counts THEN nfctool.counts(p_plan) END);
END
$$;

CREATE FUNCTION nfctool.claim_rows(p_plan integer, p_station integer, p_count integer, p_lease double precision) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    v_count integer;
    v_claims json;
BEGIN
    SELECT least(p_count, greatest(1, (SELECT sum(count) FROM nfctool.tally WHERE plan = p_plan AND state = 'pending')
        / (2 * (SELECT greatest(1, count(*)) FROM nfctool.station WHERE plan = p_plan AND seen > now() - interval '1 min'))))
    INTO v_count;
    WITH free AS (
        SELECT number FROM nfctool.plan_row WHERE plan = p_plan AND state = 'pending' AND claimant IS NULL
        ORDER BY number LIMIT v_count FOR UPDATE SKIP LOCKED
    ), claimed AS (
        UPDATE nfctool.plan_row r
        SET claimant = p_station, claimed_until = now() + make_interval(secs => p_lease)
        FROM free WHERE r.plan = p_plan AND r.number = free.number
        RETURNING r.number, r.line, r.fields, r.version
    )
    SELECT json_agg(claimed) FROM claimed INTO v_claims;
    IF v_claims IS NULL THEN
        -- Those that were never bound return when their lease ends.
        WITH free AS (
            SELECT number FROM nfctool.plan_row WHERE plan = p_plan AND claimant IS NOT NULL
                AND (claimed_until < now() OR claimant = p_station)
            ORDER BY number LIMIT v_count FOR UPDATE SKIP LOCKED
        ), claimed AS (
            UPDATE nfctool.plan_row r
            SET claimant = p_station, claimed_until = now() + make_interval(secs => p_lease)
            FROM free WHERE r.plan = p_plan AND r.number = free.number
            RETURNING r.number, r.line, r.fields, r.version
        )
        SELECT json_agg(claimed) FROM claimed INTO v_claims;
    END IF;
    RETURN v_claims;
END
$$;

CREATE FUNCTION nfctool.count_step(p_plan integer, p_station integer, p_seal smallint, p_from text, p_to text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF p_from = p_to THEN RETURN; END IF;
    INSERT INTO nfctool.tally AS t (plan, station, state, seal, count)
    SELECT p_plan, coalesce(p_station, 0), state, p_seal, change
    FROM (VALUES (p_from, -1), (p_to, 1)) AS v (state, change) ORDER BY state
    ON CONFLICT (plan, station, state, seal) DO UPDATE SET count = t.count + excluded.count;
END
$$;

CREATE FUNCTION nfctool.counts(p_plan integer) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    RETURN (SELECT json_agg(json_build_object('state', state, 'seal', seal, 'count', count)) FROM (
        SELECT state, seal, sum(count) AS count FROM nfctool.tally WHERE plan = p_plan GROUP BY state, seal) AS c);
END
$$;

CREATE FUNCTION nfctool.discard_plan(p_plan integer, p_station integer) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM nfctool.require_mine(p_plan);
    PERFORM FROM nfctool.plan WHERE id = p_plan FOR UPDATE;
    IF EXISTS (SELECT FROM nfctool.plan_row WHERE plan = p_plan AND (state <> 'pending'
            OR claimant <> coalesce(p_station, 0) AND claimed_until >= now()))
        OR EXISTS (SELECT FROM nfctool.station WHERE plan = p_plan AND id <> coalesce(p_station, 0)
            AND seen > now() - interval '1 min')
    THEN RETURN false; END IF;
    DELETE FROM nfctool.tally WHERE plan = p_plan;
    DELETE FROM nfctool.refused_tag WHERE plan = p_plan;
    DELETE FROM nfctool.plan_row WHERE plan = p_plan;
    DELETE FROM nfctool.station WHERE plan = p_plan;
    DELETE FROM nfctool.plan WHERE id = p_plan;
    RETURN true;
END
$$;

CREATE FUNCTION nfctool.is_mine(owner text) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    SELECT coalesce(pg_catalog.pg_has_role(
        session_user, pg_catalog.to_regrole(pg_catalog.quote_ident(owner))::oid, 'MEMBER'), false)
$$;

CREATE FUNCTION nfctool.join_plan(p_plan integer, p_station text) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    v_id integer;
BEGIN
    PERFORM nfctool.require_mine(p_plan);
    INSERT INTO nfctool.station (plan, name, login, joined, seen)
    VALUES (p_plan, p_station, session_user, now(), now()) ON CONFLICT DO NOTHING;
    SELECT id INTO v_id FROM nfctool.station WHERE plan = p_plan AND name = p_station;
    -- "NFCP" in ASCII. The session of a process that was killed just now takes a moment to end.
    FOR attempt IN 1..10 LOOP
        EXIT WHEN pg_try_advisory_lock(1313227600, v_id);
        IF attempt = 10 THEN RAISE EXCEPTION 'in use' USING ERRCODE = 'NF001'; END IF;
        PERFORM pg_sleep(0.1);
    END LOOP;
    UPDATE nfctool.station SET login = session_user, joined = now(), seen = now() WHERE id = v_id;
    UPDATE nfctool.plan_row SET claimant = NULL, claimed_until = NULL WHERE plan = p_plan AND claimant = v_id;
    RETURN v_id;
END
$$;

CREATE FUNCTION nfctool.keep_refusal(p_plan integer, p_station integer, p_tag json) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    v_uid bytea := decode(p_tag->>'uid', 'hex');
    v_row integer;
BEGIN
    SELECT number INTO v_row FROM nfctool.plan_row WHERE plan = p_plan AND uid = v_uid;
    IF FOUND THEN RETURN v_row; END IF;
    INSERT INTO nfctool.refused_tag AS t
        (plan, uid, chip, reader, cause, reason, is_quarantined, time, station)
    VALUES (p_plan, v_uid, p_tag->>'chip', p_tag->>'reader', p_tag->>'cause', p_tag->>'reason',
        (p_tag->>'quarantined')::boolean, (p_tag->>'time')::timestamptz, p_station)
    ON CONFLICT (plan, uid) DO UPDATE SET chip = excluded.chip, reader = excluded.reader,
        cause = excluded.cause, reason = excluded.reason,
        is_quarantined = t.is_quarantined OR excluded.is_quarantined, time = excluded.time,
        station = excluded.station;
    RETURN NULL;
END
$$;

CREATE FUNCTION nfctool.leave_plan(p_plan integer, p_station integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM nfctool.require_mine(p_plan);
    UPDATE nfctool.plan_row SET claimant = NULL, claimed_until = NULL
    WHERE plan = p_plan AND claimant = p_station;
END
$$;

CREATE FUNCTION nfctool.refuse(p_plan integer, p_station integer, p_tag json) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM nfctool.require_mine(p_plan);
    RETURN json_build_object('tagRow', nfctool.keep_refusal(p_plan, p_station, p_tag));
END
$$;

CREATE FUNCTION nfctool.require_mine(p_plan integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM nfctool.plan WHERE id = p_plan AND nfctool.is_mine(owner)) THEN
        RAISE EXCEPTION 'There is no such plan for the login %.', session_user USING ERRCODE = '42501';
    END IF;
END
$$;

CREATE TABLE nfctool.plan_row (
    plan integer NOT NULL,
    number integer NOT NULL,
    line integer NOT NULL,
    seal smallint NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    version bigint DEFAULT 0 NOT NULL,
    claimant integer,
    claimed_until timestamp with time zone,
    station integer,
    uid bytea,
    chip text,
    reader text,
    bound timestamp with time zone,
    message_length bigint,
    sha256 text,
    signature text,
    seconds double precision,
    reason text,
    changed timestamp with time zone,
    fields text NOT NULL,
    CONSTRAINT plan_row_check CHECK (((state = 'pending'::text) = (uid IS NULL))),
    CONSTRAINT plan_row_check1 CHECK ((((uid IS NULL) = (chip IS NULL)) AND ((uid IS NULL) = (reader IS NULL)) AND ((uid IS NULL) = (bound IS NULL)))),
    CONSTRAINT plan_row_check2 CHECK (((claimant IS NULL) OR (state = 'pending'::text))),
    CONSTRAINT plan_row_check3 CHECK (((state <> ALL (ARRAY['proven'::text, 'sealed'::text])) OR (sha256 IS NOT NULL))),
    CONSTRAINT plan_row_number_check CHECK ((number > 0)),
    CONSTRAINT plan_row_seal_check CHECK (((seal >= 0) AND (seal <= 3))),
    CONSTRAINT plan_row_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'bound'::text, 'written'::text, 'proven'::text, 'sealed'::text, 'failed'::text]))),
    CONSTRAINT plan_row_uid_check CHECK (((octet_length(uid) >= 1) AND (octet_length(uid) <= 32)))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02');

CREATE FUNCTION nfctool.row_facts(r nfctool.plan_row) RETURNS json
    LANGUAGE sql STABLE
    AS $$ SELECT json_build_object('number', r.number, 'line', r.line, 'fields', r.fields, 'state', r.state,
    'uid', encode(r.uid, 'hex'), 'chip', r.chip, 'reader', r.reader, 'bound', to_char(r.bound AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'length', r.message_length, 'sha256', r.sha256, 'signature', r.signature,
    'seconds', r.seconds, 'reason', r.reason, 'changed', to_char(r.changed AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'version', r.version, 'station', (SELECT s.name FROM nfctool.station s WHERE s.id = r.station)) $$;

CREATE FUNCTION nfctool.shorten_plan(p_plan integer, p_count integer, p_file text, p_sha256 text, p_recipe text) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    v_row json;
BEGIN
    PERFORM nfctool.require_mine(p_plan);
    PERFORM FROM nfctool.plan_row WHERE plan = p_plan AND number > p_count FOR UPDATE;
    SELECT nfctool.row_facts(r) INTO v_row FROM nfctool.plan_row r
    WHERE plan = p_plan AND number > p_count AND state <> 'pending' ORDER BY number LIMIT 1;
    IF FOUND THEN RETURN v_row; END IF;
    WITH gone AS (
        DELETE FROM nfctool.plan_row WHERE plan = p_plan AND number > p_count RETURNING seal
    )
    UPDATE nfctool.tally t SET count = t.count - g.count
    FROM (SELECT seal, count(*) AS count FROM gone GROUP BY seal) AS g
    WHERE t.plan = p_plan AND t.station = 0 AND t.state = 'pending' AND t.seal = g.seal;
    UPDATE nfctool.plan SET file = p_file, sha256 = p_sha256, recipe = p_recipe WHERE id = p_plan;
    RETURN NULL;
END
$$;

CREATE FUNCTION nfctool.take_rows(p_plan integer, p_first integer, p_file text, p_sha256 text, p_recipe text, p_lock boolean, p_protect boolean) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
DECLARE
    v_count integer;
BEGIN
    PERFORM nfctool.require_mine(p_plan);
    PERFORM FROM nfctool.plan WHERE id = p_plan FOR UPDATE;
    IF coalesce((SELECT max(number) FROM nfctool.plan_row WHERE plan = p_plan), 0) + 1 <> p_first THEN
        RAISE EXCEPTION 'changed meanwhile' USING ERRCODE = 'NF002';
    END IF;
    WITH added AS (
        INSERT INTO nfctool.plan_row (plan, number, line, seal, fields)
        SELECT p_plan, number, line,
            CASE WHEN coalesce(lock, p_lock) THEN 2 ELSE 0 END + CASE WHEN coalesce(protect, p_protect) THEN 1 ELSE 0 END,
            fields
        FROM nfctool.loading WHERE load = pg_current_xact_id() ORDER BY number
        RETURNING seal
    ), counted AS (
        INSERT INTO nfctool.tally AS t (plan, station, state, seal, count)
        SELECT p_plan, 0, 'pending', seal, count(*) FROM added GROUP BY seal
        ON CONFLICT (plan, station, state, seal) DO UPDATE SET count = t.count + excluded.count
        RETURNING 1
    )
    SELECT (SELECT count(*) FROM added) INTO v_count;
    DELETE FROM nfctool.loading WHERE load = pg_current_xact_id();
    UPDATE nfctool.plan SET file = p_file, sha256 = p_sha256, recipe = p_recipe WHERE id = p_plan;
    RETURN v_count;
END
$$;

CREATE FUNCTION nfctool.unquarantine(p_plan integer, p_uid bytea) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
BEGIN
    PERFORM nfctool.require_mine(p_plan);
    UPDATE nfctool.refused_tag SET is_quarantined = false
    WHERE plan = p_plan AND uid = p_uid AND is_quarantined;
    RETURN FOUND;
END
$$;

CREATE TABLE nfctool.legal_step (
    from_state text NOT NULL,
    to_state text NOT NULL
);

CREATE UNLOGGED TABLE nfctool.loading (
    load xid8 DEFAULT pg_current_xact_id() NOT NULL,
    number integer NOT NULL,
    line integer NOT NULL,
    lock boolean,
    protect boolean,
    fields text NOT NULL
);

CREATE TABLE nfctool.plan (
    id integer NOT NULL,
    owner text NOT NULL,
    name text NOT NULL,
    file text NOT NULL,
    sha256 text NOT NULL,
    recipe text NOT NULL,
    begun timestamp with time zone NOT NULL
);

ALTER TABLE nfctool.plan ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME nfctool.plan_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE nfctool.refused_tag (
    plan integer NOT NULL,
    uid bytea NOT NULL,
    chip text NOT NULL,
    reader text NOT NULL,
    cause text NOT NULL,
    reason text NOT NULL,
    is_quarantined boolean NOT NULL,
    "time" timestamp with time zone NOT NULL,
    station integer,
    CONSTRAINT refused_tag_uid_check CHECK (((octet_length(uid) >= 1) AND (octet_length(uid) <= 32)))
);

CREATE TABLE nfctool.schema_version (
    version integer NOT NULL
);

CREATE TABLE nfctool.station (
    id integer NOT NULL,
    plan integer NOT NULL,
    name text NOT NULL,
    login text NOT NULL,
    joined timestamp with time zone NOT NULL,
    seen timestamp with time zone NOT NULL
);

ALTER TABLE nfctool.station ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME nfctool.station_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE nfctool.tally (
    plan integer NOT NULL,
    station integer NOT NULL,
    state text NOT NULL,
    seal smallint NOT NULL,
    count bigint NOT NULL
)
WITH (fillfactor='50');

INSERT INTO nfctool.legal_step VALUES ('pending', 'bound');
INSERT INTO nfctool.legal_step VALUES ('bound', 'pending');
INSERT INTO nfctool.legal_step VALUES ('bound', 'failed');
INSERT INTO nfctool.legal_step VALUES ('bound', 'written');
INSERT INTO nfctool.legal_step VALUES ('written', 'pending');
INSERT INTO nfctool.legal_step VALUES ('written', 'failed');
INSERT INTO nfctool.legal_step VALUES ('written', 'proven');
INSERT INTO nfctool.legal_step VALUES ('written', 'written');
INSERT INTO nfctool.legal_step VALUES ('proven', 'pending');
INSERT INTO nfctool.legal_step VALUES ('proven', 'failed');
INSERT INTO nfctool.legal_step VALUES ('proven', 'sealed');
INSERT INTO nfctool.legal_step VALUES ('sealed', 'pending');
INSERT INTO nfctool.legal_step VALUES ('sealed', 'failed');
INSERT INTO nfctool.legal_step VALUES ('failed', 'pending');
INSERT INTO nfctool.legal_step VALUES ('failed', 'failed');
INSERT INTO nfctool.legal_step VALUES ('failed', 'written');

INSERT INTO nfctool.schema_version VALUES (1);

SELECT pg_catalog.setval('nfctool.plan_id_seq', 1, false);

SELECT pg_catalog.setval('nfctool.station_id_seq', 1, false);

ALTER TABLE ONLY nfctool.legal_step
    ADD CONSTRAINT legal_step_pkey PRIMARY KEY (from_state, to_state);

ALTER TABLE ONLY nfctool.plan
    ADD CONSTRAINT plan_owner_name_key UNIQUE (owner, name);

ALTER TABLE ONLY nfctool.plan
    ADD CONSTRAINT plan_pkey PRIMARY KEY (id);

ALTER TABLE ONLY nfctool.plan_row
    ADD CONSTRAINT plan_row_pkey PRIMARY KEY (plan, number);

ALTER TABLE ONLY nfctool.refused_tag
    ADD CONSTRAINT refused_tag_pkey PRIMARY KEY (plan, uid);

ALTER TABLE ONLY nfctool.station
    ADD CONSTRAINT station_pkey PRIMARY KEY (id);

ALTER TABLE ONLY nfctool.station
    ADD CONSTRAINT station_plan_name_key UNIQUE (plan, name);

ALTER TABLE ONLY nfctool.tally
    ADD CONSTRAINT tally_pkey PRIMARY KEY (plan, station, state, seal);

CREATE INDEX claimed_row ON nfctool.plan_row USING btree (plan, claimant) WHERE (claimant IS NOT NULL);

CREATE INDEX free_row ON nfctool.plan_row USING btree (plan, number) WHERE ((state = 'pending'::text) AND (claimant IS NULL));

CREATE INDEX open_row ON nfctool.plan_row USING btree (plan, number) WHERE (state = ANY (ARRAY['bound'::text, 'written'::text, 'failed'::text]));

CREATE INDEX refusal_in_time ON nfctool.refused_tag USING btree (plan, "time", uid);

CREATE UNIQUE INDEX row_of_tag ON nfctool.plan_row USING btree (plan, uid) WHERE (uid IS NOT NULL);

CREATE INDEX unfinished_row ON nfctool.plan_row USING btree (plan, station, number) WHERE ((state = ANY (ARRAY['bound'::text, 'written'::text])) OR ((state = 'proven'::text) AND (seal > 0)));

ALTER TABLE ONLY nfctool.plan_row
    ADD CONSTRAINT plan_row_plan_fkey FOREIGN KEY (plan) REFERENCES nfctool.plan(id);

ALTER TABLE ONLY nfctool.refused_tag
    ADD CONSTRAINT refused_tag_plan_fkey FOREIGN KEY (plan) REFERENCES nfctool.plan(id);

ALTER TABLE ONLY nfctool.station
    ADD CONSTRAINT station_plan_fkey FOREIGN KEY (plan) REFERENCES nfctool.plan(id);

ALTER TABLE ONLY nfctool.tally
    ADD CONSTRAINT tally_plan_fkey FOREIGN KEY (plan) REFERENCES nfctool.plan(id);

CREATE POLICY any_plan ON nfctool.plan FOR SELECT TO nfctool_reader USING ((NOT pg_has_role(SESSION_USER, 'nfctool_station'::name, 'MEMBER'::text)));

CREATE POLICY of_plan ON nfctool.plan_row FOR SELECT TO nfctool_station, nfctool_reader USING ((plan IN ( SELECT plan.id
   FROM nfctool.plan)));

CREATE POLICY of_plan ON nfctool.refused_tag FOR SELECT TO nfctool_station, nfctool_reader USING ((plan IN ( SELECT plan.id
   FROM nfctool.plan)));

CREATE POLICY of_plan ON nfctool.station FOR SELECT TO nfctool_station, nfctool_reader USING ((plan IN ( SELECT plan.id
   FROM nfctool.plan)));

CREATE POLICY of_plan ON nfctool.tally FOR SELECT TO nfctool_station, nfctool_reader USING ((plan IN ( SELECT plan.id
   FROM nfctool.plan)));

CREATE POLICY own_plan ON nfctool.plan FOR SELECT TO nfctool_station USING (nfctool.is_mine(owner));

ALTER TABLE nfctool.plan ENABLE ROW LEVEL SECURITY;

ALTER TABLE nfctool.plan_row ENABLE ROW LEVEL SECURITY;

ALTER TABLE nfctool.refused_tag ENABLE ROW LEVEL SECURITY;

ALTER TABLE nfctool.station ENABLE ROW LEVEL SECURITY;

ALTER TABLE nfctool.tally ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA nfctool TO nfctool_station;
GRANT USAGE ON SCHEMA nfctool TO nfctool_reader;

REVOKE ALL ON FUNCTION nfctool.ask(p_plan integer, p_station integer, p_uid bytea, p_claims integer, p_lease double precision, p_counts boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION nfctool.ask(p_plan integer, p_station integer, p_uid bytea, p_claims integer, p_lease double precision, p_counts boolean) TO nfctool_station;

REVOKE ALL ON FUNCTION nfctool.begin_plan(p_name text, p_file text) FROM PUBLIC;
GRANT ALL ON FUNCTION nfctool.begin_plan(p_name text, p_file text) TO nfctool_station;

REVOKE ALL ON FUNCTION nfctool.bind(p_plan integer, p_station integer, p_number integer, p_tag json, p_claims integer, p_lease double precision, p_counts boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION nfctool.bind(p_plan integer, p_station integer, p_number integer, p_tag json, p_claims integer, p_lease double precision, p_counts boolean) TO nfctool_station;

REVOKE ALL ON FUNCTION nfctool.change(p_plan integer, p_station integer, p_steps json, p_all boolean, p_counts boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION nfctool.change(p_plan integer, p_station integer, p_steps json, p_all boolean, p_counts boolean) TO nfctool_station;

REVOKE ALL ON FUNCTION nfctool.claim_rows(p_plan integer, p_station integer, p_count integer, p_lease double precision) FROM PUBLIC;

REVOKE ALL ON FUNCTION nfctool.count_step(p_plan integer, p_station integer, p_seal smallint, p_from text, p_to text) FROM PUBLIC;

REVOKE ALL ON FUNCTION nfctool.counts(p_plan integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION nfctool.discard_plan(p_plan integer, p_station integer) FROM PUBLIC;
GRANT ALL ON FUNCTION nfctool.discard_plan(p_plan integer, p_station integer) TO nfctool_station;

REVOKE ALL ON FUNCTION nfctool.is_mine(owner text) FROM PUBLIC;
GRANT ALL ON FUNCTION nfctool.is_mine(owner text) TO nfctool_station;
GRANT ALL ON FUNCTION nfctool.is_mine(owner text) TO nfctool_reader;

REVOKE ALL ON FUNCTION nfctool.join_plan(p_plan integer, p_station text) FROM PUBLIC;
GRANT ALL ON FUNCTION nfctool.join_plan(p_plan integer, p_station text) TO nfctool_station;

REVOKE ALL ON FUNCTION nfctool.keep_refusal(p_plan integer, p_station integer, p_tag json) FROM PUBLIC;

REVOKE ALL ON FUNCTION nfctool.leave_plan(p_plan integer, p_station integer) FROM PUBLIC;
GRANT ALL ON FUNCTION nfctool.leave_plan(p_plan integer, p_station integer) TO nfctool_station;

REVOKE ALL ON FUNCTION nfctool.refuse(p_plan integer, p_station integer, p_tag json) FROM PUBLIC;
GRANT ALL ON FUNCTION nfctool.refuse(p_plan integer, p_station integer, p_tag json) TO nfctool_station;

REVOKE ALL ON FUNCTION nfctool.require_mine(p_plan integer) FROM PUBLIC;

GRANT SELECT ON TABLE nfctool.plan_row TO nfctool_station;

GRANT SELECT(plan) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(number) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(line) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(seal) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(state) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(version) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(station) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(uid) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(chip) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(reader) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(bound) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(message_length) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(sha256) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(signature) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(seconds) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(reason) ON TABLE nfctool.plan_row TO nfctool_reader;

GRANT SELECT(changed) ON TABLE nfctool.plan_row TO nfctool_reader;

REVOKE ALL ON FUNCTION nfctool.row_facts(r nfctool.plan_row) FROM PUBLIC;
GRANT ALL ON FUNCTION nfctool.row_facts(r nfctool.plan_row) TO nfctool_station;

REVOKE ALL ON FUNCTION nfctool.shorten_plan(p_plan integer, p_count integer, p_file text, p_sha256 text, p_recipe text) FROM PUBLIC;
GRANT ALL ON FUNCTION nfctool.shorten_plan(p_plan integer, p_count integer, p_file text, p_sha256 text, p_recipe text) TO nfctool_station;

REVOKE ALL ON FUNCTION nfctool.take_rows(p_plan integer, p_first integer, p_file text, p_sha256 text, p_recipe text, p_lock boolean, p_protect boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION nfctool.take_rows(p_plan integer, p_first integer, p_file text, p_sha256 text, p_recipe text, p_lock boolean, p_protect boolean) TO nfctool_station;

REVOKE ALL ON FUNCTION nfctool.unquarantine(p_plan integer, p_uid bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION nfctool.unquarantine(p_plan integer, p_uid bytea) TO nfctool_station;

GRANT INSERT(number) ON TABLE nfctool.loading TO nfctool_station;

GRANT INSERT(line) ON TABLE nfctool.loading TO nfctool_station;

GRANT INSERT(lock) ON TABLE nfctool.loading TO nfctool_station;

GRANT INSERT(protect) ON TABLE nfctool.loading TO nfctool_station;

GRANT INSERT(fields) ON TABLE nfctool.loading TO nfctool_station;

GRANT SELECT ON TABLE nfctool.plan TO nfctool_station;

GRANT SELECT(id) ON TABLE nfctool.plan TO nfctool_reader;

GRANT SELECT(owner) ON TABLE nfctool.plan TO nfctool_reader;

GRANT SELECT(name) ON TABLE nfctool.plan TO nfctool_reader;

GRANT SELECT(file) ON TABLE nfctool.plan TO nfctool_reader;

GRANT SELECT(sha256) ON TABLE nfctool.plan TO nfctool_reader;

GRANT SELECT(begun) ON TABLE nfctool.plan TO nfctool_reader;

GRANT SELECT ON TABLE nfctool.refused_tag TO nfctool_station;
GRANT SELECT ON TABLE nfctool.refused_tag TO nfctool_reader;

GRANT SELECT ON TABLE nfctool.schema_version TO nfctool_station;
GRANT SELECT ON TABLE nfctool.schema_version TO nfctool_reader;

GRANT SELECT ON TABLE nfctool.station TO nfctool_station;
GRANT SELECT ON TABLE nfctool.station TO nfctool_reader;

GRANT SELECT ON TABLE nfctool.tally TO nfctool_station;
GRANT SELECT ON TABLE nfctool.tally TO nfctool_reader;


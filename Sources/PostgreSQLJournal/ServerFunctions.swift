// What stations may do to a plan: one function a round trip — PostgreSQL, CREATE FUNCTION, SECURITY DEFINER

import Provisioning

/// The functions of the schema, which run with the rights of who prepared the database and check whose plan it is.
enum ServerFunctions {
    static let all = [
        define("require_mine(p_plan integer) RETURNS void", requireMine),
        define(
            "count_step(p_plan integer, p_station integer, p_seal smallint, p_from text, p_to text) RETURNS void",
            countStep),
        define("require_station(p_plan integer, p_station integer) RETURNS void", requireStation),
        define("check_tally(p_plan integer) RETURNS void", checkTally),
        // Read when it is made, not in the session of whoever calls it.
        "CREATE OR REPLACE FUNCTION nfctool.row_facts(r nfctool.plan_row) RETURNS json LANGUAGE sql STABLE RETURN \(rowFacts("r", fields: "r.fields", sha256: "r.sha256"))",
        define("counts(p_plan integer) RETURNS json", counts),
        define(
            "claim_rows(p_plan integer, p_station integer, p_count integer, p_lease double precision) RETURNS json",
            claimRows),
        define("keep_refusal(p_plan integer, p_station integer, p_tag json) RETURNS integer", keepRefusal),
        define("join_plan(p_plan integer, p_station text) RETURNS integer", joinPlan),
        define("leave_plan(p_plan integer, p_station integer) RETURNS void", leavePlan),
        define(
            "ask(p_plan integer, p_station integer, p_uid bytea, p_claims integer, p_lease double precision, p_counts boolean) RETURNS json",
            ask),
        define(
            "bind(p_plan integer, p_station integer, p_number integer, p_tag json, p_claims integer, p_lease double precision, p_counts boolean) RETURNS json",
            bind),
        define(
            "change(p_plan integer, p_station integer, p_steps json, p_all boolean, p_counts boolean) RETURNS json",
            change),
        define("refuse(p_plan integer, p_station integer, p_tag json) RETURNS json", refuse),
        define("unquarantine(p_plan integer, p_uid bytea) RETURNS boolean", unquarantine),
        define("begin_plan(p_name text, p_file text) RETURNS integer", beginPlan),
        define(
            "take_rows(p_plan integer, p_first integer, p_file text, p_sha256 text, p_recipe text, p_lock boolean, p_protect boolean) RETURNS integer",
            takeRows),
        "DROP FUNCTION IF EXISTS nfctool.shorten_plan(integer, integer, text, text, text)",
        define(
            "shorten_plan(p_plan integer, p_written text, p_count integer, p_file text, p_sha256 text, p_recipe text) RETURNS json",
            shortenPlan),
        define("empty_plan(p_plan integer, p_station integer) RETURNS boolean", emptyPlan),
        define("discard_plan(p_plan integer, p_station integer) RETURNS boolean", discardPlan),
    ]

    /// Those that the station's role may call.
    static let ofStations = [
        "join_plan", "leave_plan", "ask", "bind", "change", "refuse", "unquarantine", "begin_plan", "take_rows",
        "shorten_plan", "empty_plan", "discard_plan",
    ]

    private static func define(_ signature: String, _ body: String) -> String {
        """
        CREATE OR REPLACE FUNCTION nfctool.\(signature)
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
        \(body)
        $function$
        """
    }

    /// A row as `StoredRow` reads it.
    static func rowFacts(_ r: String, fields: String, sha256: String) -> String {
        """
        json_build_object('number', \(r).number, 'line', \(r).line, 'fields', \(fields), 'state', \(r).state,
            'uid', encode(\(r).uid, 'hex'), 'chip', \(r).chip, 'reader', \(r).reader, 'bound', \(time("\(r).bound")),
            'length', \(r).message_length, 'sha256', \(sha256), 'signature', \(r).signature,
            'seconds', \(r).seconds, 'reason', \(r).reason, 'changed', \(time("\(r).changed")),
            'version', \(r).version, 'station', (SELECT s.name FROM nfctool.station s WHERE s.id = \(r).station))
        """
    }

    /// A refused tag as `StoredRefusal` reads it.
    static func refusalFacts(_ t: String) -> String {
        """
        json_build_object('uid', encode(\(t).uid, 'hex'), 'chip', \(t).chip, 'reader', \(t).reader, 'cause', \(t).cause,
            'reason', \(t).reason, 'quarantined', \(t).is_quarantined, 'time', \(time("\(t).time")))
        """
    }

    static func time(_ column: String) -> String {
        #"to_char(\#(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')"#
    }

    private static let requireMine = """
        BEGIN
            IF NOT EXISTS (SELECT FROM nfctool.plan WHERE id = p_plan AND nfctool.is_mine(owner)) THEN
                RAISE EXCEPTION 'There is no such plan for the login %.', session_user USING ERRCODE = '42501';
            END IF;
        END
        """

    /// A station's number counts only in its own plan; NULL is an administrator.
    private static let requireStation = """
        BEGIN
            PERFORM nfctool.require_mine(p_plan);
            IF p_station IS NOT NULL
                AND NOT EXISTS (SELECT FROM nfctool.station WHERE id = p_station AND plan = p_plan)
            THEN
                RAISE EXCEPTION 'There is no such station in this plan.' USING ERRCODE = '42501';
            END IF;
        END
        """

    private static let checkTally = """
        BEGIN
            IF \(tallyDiffers(plan: "p_plan")) THEN
                RAISE EXCEPTION 'the tally' USING ERRCODE = '\(damagedTally)';
            END IF;
        END
        """

    /// Whether the counts are not those of the rows: one statement, and so one moment.
    static func tallyDiffers(plan: String) -> String {
        """
        EXISTS (
            SELECT FROM (
                SELECT state, seal, count(*) AS count FROM nfctool.plan_row WHERE plan = \(plan) GROUP BY state, seal
            ) AS r FULL JOIN (
                SELECT state, seal, sum(count) AS count FROM nfctool.tally WHERE plan = \(plan)
                GROUP BY state, seal HAVING sum(count) <> 0
            ) AS t USING (state, seal)
            WHERE r.count IS DISTINCT FROM t.count)
        """
    }

    private static let countStep = """
        BEGIN
            IF p_from = p_to THEN RETURN; END IF;
            INSERT INTO nfctool.tally AS t (plan, station, state, seal, count)
            SELECT p_plan, coalesce(p_station, 0), state, p_seal, change
            FROM (VALUES (p_from, -1), (p_to, 1)) AS v (state, change) ORDER BY state
            ON CONFLICT (plan, station, state, seal) DO UPDATE SET count = t.count + excluded.count;
        END
        """

    private static let counts = """
        BEGIN
            RETURN (SELECT json_agg(json_build_object('state', state, 'seal', seal, 'count', count)) FROM (
                SELECT state, seal, sum(count) AS count FROM nfctool.tally WHERE plan = p_plan GROUP BY state, seal) AS c);
        END
        """

    /// Near the end of a plan each station takes few rows, so that an idle station does not hold rows that others need.
    private static let claimRows = """
        DECLARE
            v_count integer;
            v_claims json;
        BEGIN
            SELECT least(p_count, greatest(1, (SELECT sum(count) FROM nfctool.tally WHERE plan = p_plan AND state = 'pending')
                / (2 * (SELECT greatest(1, count(*)) FROM nfctool.station WHERE plan = p_plan AND seen > now() - interval '1 min'))))
            INTO v_count;
            \(claim("state = 'pending' AND claimant IS NULL"))
            IF v_claims IS NULL THEN
                -- Those that were never bound return when their lease ends.
                \(claim("claimant IS NOT NULL AND (claimed_until < now() OR claimant = p_station)"))
            END IF;
            RETURN v_claims;
        END
        """

    private static func claim(_ condition: String) -> String {
        """
        WITH free AS (
            SELECT number FROM nfctool.plan_row WHERE plan = p_plan AND \(condition)
            ORDER BY number LIMIT v_count FOR UPDATE SKIP LOCKED
        ), claimed AS (
            UPDATE nfctool.plan_row r
            SET claimant = p_station, claimed_until = now() + make_interval(secs => p_lease)
            FROM free WHERE r.plan = p_plan AND r.number = free.number
            RETURNING r.number, r.line, r.fields, r.version
        )
        SELECT json_agg(claimed) FROM claimed INTO v_claims;
        """
    }

    /// The number of the row that the tag has instead; NULL for none.
    private static let keepRefusal = """
        DECLARE
            v_uid bytea := decode(p_tag->>'uid', 'hex');
            -- As exact as clients tell it, and ask for it.
            v_time timestamptz := date_trunc('milliseconds', (p_tag->>'time')::timestamptz);
            v_row integer;
        BEGIN
            SELECT number INTO v_row FROM nfctool.plan_row WHERE plan = p_plan AND uid = v_uid;
            IF FOUND THEN RETURN v_row; END IF;
            -- One that is told a second time, after the connection broke, counts once.
            IF NOT EXISTS (SELECT FROM nfctool.refused_tag WHERE plan = p_plan AND uid = v_uid AND time = v_time) THEN
                INSERT INTO nfctool.refusal_tally AS t (plan, station, reader, count, last)
                VALUES (p_plan, coalesce(p_station, 0), left(p_tag->>'reader', \(ReaderRefusals.longestName)), 1, v_time)
                ON CONFLICT (plan, station, reader)
                DO UPDATE SET count = t.count + 1, last = greatest(t.last, excluded.last);
            END IF;
            INSERT INTO nfctool.refused_tag AS t
                (plan, uid, chip, reader, cause, reason, is_quarantined, time, station)
            VALUES (p_plan, v_uid, p_tag->>'chip', p_tag->>'reader', p_tag->>'cause', p_tag->>'reason',
                (p_tag->>'quarantined')::boolean, v_time, p_station)
            ON CONFLICT (plan, uid) DO UPDATE SET chip = excluded.chip, reader = excluded.reader,
                cause = excluded.cause, reason = excluded.reason,
                is_quarantined = t.is_quarantined OR excluded.is_quarantined, time = excluded.time,
                station = excluded.station;
            RETURN NULL;
        END
        """

    /// The lock goes with the session, so a process that holds it is alive, and of one that lost it nothing is under way.
    private static let joinPlan = """
        DECLARE
            v_id integer;
        BEGIN
            PERFORM nfctool.require_mine(p_plan);
            IF length(p_station) NOT BETWEEN \(StationName.lengths.lowerBound) AND \(StationName.lengths.upperBound) THEN
                RAISE EXCEPTION 'A station has a name.' USING ERRCODE = '22023';
            END IF;
            INSERT INTO nfctool.station (plan, name, login, joined, seen)
            VALUES (p_plan, p_station, session_user, now(), now()) ON CONFLICT DO NOTHING;
            SELECT id INTO v_id FROM nfctool.station WHERE plan = p_plan AND name = p_station;
            -- The session of a process that was killed just now takes a moment to end.
            FOR attempt IN 1..10 LOOP
                EXIT WHEN pg_try_advisory_lock(\(lockClass), v_id);
                IF attempt = 10 THEN RAISE EXCEPTION 'in use' USING ERRCODE = '\(stationTaken)'; END IF;
                PERFORM pg_sleep(0.1);
            END LOOP;
            UPDATE nfctool.station SET login = session_user, joined = now(), seen = now(), left_at = NULL
            WHERE id = v_id;
            UPDATE nfctool.plan_row SET claimant = NULL, claimed_until = NULL WHERE plan = p_plan AND claimant = v_id;
            PERFORM nfctool.check_tally(p_plan);
            RETURN v_id;
        END
        """

    private static let leavePlan = """
        BEGIN
            PERFORM nfctool.require_station(p_plan, p_station);
            UPDATE nfctool.plan_row SET claimant = NULL, claimed_until = NULL
            WHERE plan = p_plan AND claimant = p_station;
            UPDATE nfctool.station SET left_at = now() WHERE plan = p_plan AND id = p_station;
        END
        """

    private static let ask = """
        DECLARE
            v_row json;
            v_refusal json;
            v_claims json;
        BEGIN
            PERFORM nfctool.require_station(p_plan, p_station);
            -- A write, and so a wait for the disk: not with each question.
            UPDATE nfctool.station SET seen = now() WHERE id = p_station AND plan = p_plan
                AND seen < now() - interval '5 s';
            IF p_uid IS NOT NULL THEN
                SELECT nfctool.row_facts(r) INTO v_row FROM nfctool.plan_row r WHERE plan = p_plan AND uid = p_uid;
                IF NOT FOUND THEN
                    SELECT \(refusalFacts("t")) INTO v_refusal FROM nfctool.refused_tag t
                    WHERE plan = p_plan AND uid = p_uid;
                END IF;
            END IF;
            IF p_claims > 0 AND v_row IS NULL AND (v_refusal->>'quarantined') IS DISTINCT FROM 'true' THEN
                v_claims := nfctool.claim_rows(p_plan, p_station, p_claims, p_lease);
            END IF;
            RETURN json_build_object('row', v_row, 'refusal', v_refusal, 'claims', v_claims,
                'counts', CASE WHEN p_counts THEN nfctool.counts(p_plan) END);
        END
        """

    private static let bind = """
        DECLARE
            r nfctool.plan_row;
            v_uid bytea := decode(p_tag->>'uid', 'hex');
            v_other integer;
            v_quarantined boolean;
            v_result text := 'bound';
        BEGIN
            PERFORM nfctool.require_station(p_plan, p_station);
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
        """

    /// A step says from which version of its row it is made: one that comes a second time finds a later version and is done,
    /// one whose row was given back meanwhile finds another tag.
    private static let change = """
        DECLARE
            s record;
            r nfctool.plan_row;
            v_result text;
            v_results json[] := '{}';
        BEGIN
            PERFORM nfctool.require_station(p_plan, p_station);
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
                    RAISE EXCEPTION 'changed meanwhile' USING ERRCODE = '\(changedMeanwhile)';
                END IF;
                v_results := v_results || json_build_object('number', s.number, 'result', v_result);
            END LOOP;
            RETURN json_build_object('results', to_json(v_results),
                'counts', CASE WHEN p_counts THEN nfctool.counts(p_plan) END);
        END
        """

    private static let refuse = """
        BEGIN
            PERFORM nfctool.require_station(p_plan, p_station);
            RETURN json_build_object('tagRow', nfctool.keep_refusal(p_plan, p_station, p_tag));
        END
        """

    private static let unquarantine = """
        BEGIN
            PERFORM nfctool.require_mine(p_plan);
            UPDATE nfctool.refused_tag SET is_quarantined = false
            WHERE plan = p_plan AND uid = p_uid AND is_quarantined;
            RETURN FOUND;
        END
        """

    private static let beginPlan = """
        DECLARE
            v_id integer;
        BEGIN
            -- Another station may be at it: then this waits, and finds it done.
            INSERT INTO nfctool.plan (owner, name, file, sha256, recipe, begun)
            VALUES (session_user, p_name, p_file, '', '[]', now()) RETURNING id INTO v_id;
            RETURN v_id;
        EXCEPTION WHEN unique_violation THEN
            RAISE EXCEPTION 'exists' USING ERRCODE = '\(planExists)';
        END
        """

    private static let takeRows = """
        DECLARE
            v_count integer;
        BEGIN
            PERFORM nfctool.require_mine(p_plan);
            PERFORM FROM nfctool.plan WHERE id = p_plan FOR UPDATE;
            IF coalesce((SELECT max(number) FROM nfctool.plan_row WHERE plan = p_plan), 0) + 1 <> p_first THEN
                RAISE EXCEPTION 'changed meanwhile' USING ERRCODE = '\(changedMeanwhile)';
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
        """

    private static let shortenPlan = """
        DECLARE
            v_row json;
        BEGIN
            PERFORM nfctool.require_mine(p_plan);
            PERFORM FROM nfctool.plan WHERE id = p_plan AND sha256 = p_written FOR UPDATE;
            IF NOT FOUND THEN RAISE EXCEPTION 'changed meanwhile' USING ERRCODE = '\(changedMeanwhile)'; END IF;
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
        """

    /// Takes the rows away, unless a tag has one or another station is at work; such a station is not of this plan any more.
    private static let emptyPlan = """
        BEGIN
            PERFORM nfctool.require_station(p_plan, p_station);
            PERFORM FROM nfctool.plan WHERE id = p_plan FOR UPDATE;
            PERFORM FROM nfctool.plan_row WHERE plan = p_plan FOR UPDATE;
            IF EXISTS (SELECT FROM nfctool.plan_row WHERE plan = p_plan AND (state <> 'pending'
                    OR claimant <> coalesce(p_station, 0) AND claimed_until >= now()))
                OR EXISTS (SELECT FROM nfctool.station WHERE plan = p_plan AND id <> coalesce(p_station, 0)
                    AND seen > now() - interval '1 min')
            THEN RETURN false; END IF;
            DELETE FROM nfctool.tally WHERE plan = p_plan;
            DELETE FROM nfctool.refusal_tally WHERE plan = p_plan;
            DELETE FROM nfctool.plan_row WHERE plan = p_plan;
            DELETE FROM nfctool.station WHERE plan = p_plan AND id <> coalesce(p_station, 0);
            UPDATE nfctool.plan SET begun = now() WHERE id = p_plan;
            RETURN true;
        END
        """

    private static let discardPlan = """
        BEGIN
            IF NOT nfctool.empty_plan(p_plan, p_station) THEN RETURN false; END IF;
            DELETE FROM nfctool.refused_tag WHERE plan = p_plan;
            DELETE FROM nfctool.station WHERE plan = p_plan;
            DELETE FROM nfctool.plan WHERE id = p_plan;
            RETURN true;
        END
        """

    /// "NFCP" in ASCII: the class of our advisory locks.
    static let lockClass = 0x4E46_4350

    /// Our own error codes, in a class that PostgreSQL leaves to others.
    static let (stationTaken, changedMeanwhile, planExists) = ("NF001", "NF002", "NF003")
    static let damagedTally = "NF004"
}

// The functions of the schema by name. Each call is one round trip — PostgreSQL, CREATE FUNCTION, SECURITY DEFINER

import Provisioning

/// The functions of the schema.
///
/// They run with the rights of the login that prepared the database, and check that the plan belongs to the caller.
enum ServerFunctions {
    static let all = [
        define("require_mine(p_plan integer) RETURNS void", requireMine),
        define(
            "count_step(p_plan integer, p_station integer, p_seal smallint, p_from text, p_to text) RETURNS void",
            countStep),
        define("require_station(p_plan integer, p_station integer) RETURNS void", requireStation),
        define("check_tally(p_plan integer) RETURNS void", checkTally),
        // The body is parsed when the function is created, not in the session of its caller.
        "CREATE OR REPLACE FUNCTION nfctool.row_facts(r nfctool.plan_row) RETURNS json LANGUAGE sql STABLE RETURN \(rowFacts("r", fields: "r.fields", sha256: "r.sha256"))",
        define("counts(p_plan integer) RETURNS json", counts),
        define(
            "claim_rows(p_plan integer, p_station integer, p_count integer, p_lease double precision) RETURNS json",
            claimRows),
        define("take_claim(p_plan integer, p_station integer, p_lease double precision) RETURNS json", takeClaim),
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
        define(
            "shorten_plan(p_plan integer, p_written text, p_count integer, p_file text, p_sha256 text, p_recipe text) RETURNS json",
            shortenPlan),
        // Stations of version 1 call the function with this signature.
        define(
            "shorten_plan(p_plan integer, p_count integer, p_file text, p_sha256 text, p_recipe text) RETURNS json",
            shortenPlanOfVersion1),
        define("empty_plan(p_plan integer, p_station integer) RETURNS boolean", emptyPlan),
        define("discard_plan(p_plan integer, p_station integer) RETURNS boolean", discardPlan),
    ]

    static let ofStations = [
        "join_plan", "leave_plan", "ask", "bind", "change", "refuse", "unquarantine", "begin_plan", "take_rows",
        "shorten_plan(integer, text, integer, text, text, text)",
        "shorten_plan(integer, integer, text, text, text)", "empty_plan", "discard_plan",
    ]

    private static func define(_ signature: String, _ body: String) -> String {
        """
        CREATE OR REPLACE FUNCTION nfctool.\(signature)
            LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $function$
        \(body)
        $function$
        """
    }

    /// Returns the SQL for a row in the form that `StoredRow` decodes.
    static func rowFacts(_ r: String, fields: String, sha256: String) -> String {
        """
        json_build_object('number', \(r).number, 'line', \(r).line, 'fields', \(fields), 'state', \(r).state,
            'uid', encode(\(r).uid, 'hex'), 'chip', \(r).chip, 'reader', \(r).reader, 'bound', \(time("\(r).bound")),
            'length', \(r).message_length, 'sha256', \(sha256), 'signature', \(r).signature,
            'seconds', \(r).seconds, 'reason', \(r).reason, 'changed', \(time("\(r).changed")),
            'version', \(r).version, 'station', (SELECT s.name FROM nfctool.station s WHERE s.id = \(r).station))
        """
    }

    /// Returns the SQL for a refused tag in the form that `StoredRefusal` decodes.
    static func refusalFacts(_ t: String) -> String {
        """
        json_build_object('uid', encode(\(t).uid, 'hex'), 'chip', \(t).chip, 'reader', \(t).reader, 'cause', \(t).cause,
            'reason', \(t).reason, 'quarantined', \(t).is_quarantined, 'time', \(time("\(t).time")))
        """
    }

    static func time(_ column: String) -> String {
        #"to_char(\#(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')"#
    }

    /// "NFCP" in ASCII, the class of our advisory locks.
    static let lockClass = 0x4E46_4350

    /// Our own error codes, in a class that PostgreSQL does not use.
    static let (stationTaken, changedMeanwhile, planExists) = ("NF001", "NF002", "NF003")
    static let (damagedTally, stationGone) = ("NF004", "NF005")
}

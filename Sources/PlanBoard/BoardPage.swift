// The page of a board, which is styled like the certificate and filled by its script — HTML Living Standard, CSS

import Provisioning

/// The page, which itself contains no data about a plan, and its style.
enum BoardPage {
    static let html = """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <meta name="generator" content="nfctool"/>
        <link rel="icon" href="data:,"/>
        <title>nfctool</title>
        <link rel="stylesheet" href="board.css"/>
        <script src="board.js" defer></script>
        </head>
        <body>
        <main>
        <div class="overall">
        <header>
        <div>
        <p class="eyebrow"><span id="live" role="status">Connecting</span> <time id="clock"></time></p>
        <h1 id="plan">&nbsp;</h1>
        <p class="verdict" id="verdict">&nbsp;</p>
        <p class="lede" id="lede"></p>
        </div>
        <svg class="ring" viewBox="0 0 120 120" role="img" id="ring"><circle class="track" cx="60" cy="60" r="52"/><circle
        class="arc" id="arc" cx="60" cy="60" r="52" transform="rotate(-90 60 60)" stroke-dasharray="0 400"/><path
        class="tick" id="tick" hidden="" d="M39 61.5 53.5 76 82 46"/><text x="60" y="60" dy="0.35em" text-anchor="middle"><tspan
        id="percent"></tspan><tspan class="unit" id="unit"></tspan></text></svg>
        </header>
        <noscript><p class="alarm">This page needs JavaScript. In a terminal:
        <code>nfctool provision status --watch</code></p></noscript>
        <p class="alarm" id="alarm" role="alert" hidden></p>
        <dl class="tiles" id="tiles"></dl>
        <div class="states" id="states" aria-hidden="true"></div>
        <ul class="legend" id="legend"></ul>
        <section id="hour" hidden>
        <h2>Last hour</h2>
        <figure class="chart hour"><svg width="100%" height="120" role="img" aria-label="Rows per minute in the last hour"
        id="chart"></svg><figcaption id="caption"></figcaption></figure>
        </section>
        <section id="refusals" hidden>
        <h2>Refused tags</h2>
        <table class="refusals"><thead><tr><th scope="col" class="station">Station</th><th scope="col">Reader</th><th
        scope="col" class="n">Refused</th><th scope="col" class="n">Last</th></tr></thead><tbody id="readers"></tbody></table>
        <p class="note" id="more"></p>
        </section>
        </div>
        <div class="stations">
        <section id="care" hidden>
        <h2>Needs attention</h2>
        <ul class="care-list" id="care-list"></ul>
        </section>
        <section id="all" hidden>
        <h2>Stations <small id="working"></small></h2>
        <ul class="grid" id="grid"></ul>
        <p class="note" id="signs" hidden>For each station: rows and rows per minute. ✘ tags refused, ↺ tags to place again.</p>
        </section>
        </div>
        </main>
        </body>
        </html>

        """

    static func refusal(_ code: Int, _ phrase: String) -> String {
        let hint =
            code == 401
            ? "<p>Open the address that <code>nfctool provision board</code> printed, with its token.</p>" : ""
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"/><title>\(phrase)</title></head>
            <body><h1>\(code) \(phrase)</h1>\(hint)</body></html>

            """
    }

    /// The certificate's style, and additions for the board.
    static let style =
        HTMLStyle.sheet + """

            html { min-height: 100%; }
            .eyebrow time { color: var(--soft); letter-spacing: 0; margin-left: 10px; }
            .eyebrow #live::before { content: ""; display: inline-block; width: 9px; height: 9px; border-radius: 50%;
              background: var(--proven); margin-right: 8px; }
            .gone #live { color: var(--failed); } .gone #live::before { background: var(--failed); }
            .gone .tiles, .gone .stations, .gone .chart { opacity: .55; }
            [hidden] { display: none !important; }
            .ring text { text-rendering: geometricPrecision; }
            .alarm { border: 1px solid var(--failed); border-left-width: 6px; border-radius: 6px; background: var(--card);
              padding: 12px 16px; margin-bottom: 24px; overflow-wrap: anywhere; }
            .tiles dd { overflow: hidden; text-overflow: ellipsis; }
            .overall > :last-child, .stations > :first-child { margin-bottom: 0; }
            section { margin-top: 36px; }
            h2 small { font: 13px var(--sans); color: var(--soft); margin-left: 8px; }
            .hour svg { width: calc(100% - 34px); margin-left: 34px; } .hour figcaption { margin-top: 10px; }
            .hour rect { fill: var(--proven); } .hour rect.now { opacity: .55; }
            .refusals td, .refusals th { overflow-wrap: anywhere; } .refusals .n { overflow-wrap: normal; }
            .care-list { list-style: none; display: grid; gap: 8px; grid-template-columns: repeat(auto-fill, minmax(260px, 1fr)); }
            .care-list li { display: flex; gap: 10px; align-items: baseline; border-left: 4px solid var(--bound);
              background: var(--card); padding: 7px 12px; border-radius: 4px; min-width: 0; }
            .care-list li.lost { border-color: var(--failed); }
            .care-list b { overflow-wrap: anywhere; } .care-list span { color: var(--soft); margin-left: auto; text-align: right; }
            .grid { list-style: none; display: grid; gap: 1px; grid-template-columns: repeat(auto-fill, minmax(210px, 1fr));
              background: var(--card); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
            .grid li { background: var(--card); padding: 10px 14px; min-width: 0; box-shadow: 0 0 0 1px var(--line); }
            .grid .name { display: flex; align-items: baseline; gap: 7px; font-weight: 600; }
            .grid .name span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
            .grid .name i { flex: none; width: 9px; height: 9px; border-radius: 50%; background: var(--proven); }
            .grid .name b { margin-left: auto; font: 400 19px/1 var(--serif); font-variant-numeric: lining-nums tabular-nums; }
            .grid .silent i { background: var(--bound); } .grid .lost i { background: var(--failed); }
            .grid .ended i { background: none; border: 1px solid var(--faint); }
            .grid p { font-size: 13px; color: var(--soft); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
            .grid .silent p.state { color: var(--bound); } .grid .lost p.state, .grid .refused { color: var(--failed); }
            .grid .ended { color: var(--soft); } .grid .return { color: var(--bound); } .grid + p.note { margin-top: 10px; }
            .many { grid-template-columns: repeat(auto-fill, minmax(150px, 1fr)); font-size: 13px; }
            .many li { padding: 5px 9px; } .many p { font-size: 12px; line-height: 1.35; } .many .name b { font-size: 15px; }
            .crowd { grid-template-columns: repeat(auto-fill, minmax(118px, 1fr)); font-size: 12px; line-height: 1.3; }
            .crowd li { padding: 3px 7px; } .crowd p { font-size: 11px; line-height: 1.25; } .crowd .name b { font-size: 13px; }
            .crowd .name { gap: 5px; font-weight: 500; } .crowd .name i { width: 7px; height: 7px; }
            @media (max-width: 700px) {
              .states { margin-top: 20px; } .refusals tbody th { font-weight: 600; }
              .refusals .station, .refusals .reader { display: block; } .refusals .count::after { content: " refused,"; }
              .refusals .last::before { content: "last at "; }
              .crowd { grid-template-columns: repeat(auto-fill, minmax(104px, 1fr)); }
            }
            @media screen and (min-width: 1400px) {
              body:not(.alone) main { max-width: none; display: grid; grid-template-columns: minmax(520px, 30%) minmax(0, 1fr); gap: 0 56px;
                padding: 30px 48px 24px; align-items: start; }
              .stations section:first-child, .stations section[hidden] + section { margin-top: 0; }
              header { margin-bottom: 28px; } h1 { font-size: 34px; }
              .tiles div { padding: 9px 14px 7px; } .tiles dd { font-size: 23px; } .tiles dt { white-space: nowrap; }
              .states { margin-top: 20px; } section { margin-top: 26px; }
              body.few main { grid-template-columns: 1fr 1fr; max-width: 1640px; margin: 0 auto; padding-top: 64px; }
              .few .grid { grid-template-columns: repeat(auto-fill, minmax(280px, 1fr)); }
              .few .grid li { padding: 16px 20px; } .few .grid p { font-size: 15px; } .few .name b { font-size: 26px; }
            }
            @media print {
              .grid { grid-template-columns: repeat(5, 1fr); overflow: visible; } .grid li { break-inside: avoid; }
              .grid p, .many p, .crowd p { font-size: 7pt; } .many, .crowd, .grid { font-size: 8pt; }
              .care-list { grid-template-columns: repeat(3, 1fr); font-size: 8pt; } #care, .care-list li { break-inside: avoid; }
              .grid, .grid li { border-radius: 0; background: none; } .grid { border: 0; gap: 0; }
              .hour text { font-size: 7pt; }
              .hour { break-inside: avoid; }
            }
            """
}

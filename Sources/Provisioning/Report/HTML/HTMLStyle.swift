// The style of the HTML report — CSS

/// The HTML report's style sheet: light and dark, for screens, phones and A4 paper.
package enum HTMLStyle {
    package static let sheet = """
        :root {
          --paper: #fbfaf7; --card: #ffffff; --ink: #1d2420; --soft: #5e6962; --faint: #8d968f; --line: #e3e3dc;
          --sealed: #14634a; --proven: #45a27c; --open: #8a7fc4; --written: #6fa8c4; --bound: #d9a441;
          --failed: #c2483d; --pending: #d6d8d1;
          --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans",
            "Liberation Sans", sans-serif;
          --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "URW Palladio L", P052, Charter, Georgia,
            "Noto Serif", "Liberation Serif", serif;
          --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Segoe UI Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
        }
        * { box-sizing: border-box; margin: 0; padding: 0; }
        html { -webkit-text-size-adjust: 100%; }
        body { background: var(--paper); color: var(--ink); font: 15px/1.5 var(--sans); font-variant-numeric: tabular-nums;
          print-color-adjust: exact; -webkit-print-color-adjust: exact; }
        main { max-width: 1080px; margin: 0 auto; padding: 64px 40px 72px; }
        header { display: flex; gap: 48px; align-items: center; justify-content: space-between; margin-bottom: 40px; }
        .eyebrow { font-size: 12px; letter-spacing: .14em; text-transform: uppercase; color: var(--sealed); font-weight: 600; }
        h1 { font: 400 40px/1.15 var(--serif); margin: 6px 0 14px; overflow-wrap: anywhere; }
        .verdict { font-size: 20px; line-height: 1.4; }
        .lede { color: var(--soft); max-width: 66ch; margin-top: 8px; text-wrap: pretty; }
        .ring { flex: none; width: 128px; height: 128px; }
        .ring circle { fill: none; stroke-width: 7; }
        .ring .track { stroke: var(--line); }
        .ring .arc { stroke: var(--proven); }
        .ring .tick { fill: none; stroke: var(--sealed); stroke-width: 7; stroke-linecap: round; stroke-linejoin: round; }
        .ring text { font: 400 32px var(--serif); fill: var(--ink); }
        .ring .unit { font-size: 18px; fill: var(--soft); }
        .tiles { display: grid; grid-template-columns: repeat(4, 1fr); gap: 1px; background: var(--line);
          border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
        .tiles div { background: var(--card); padding: 16px 20px 14px; }
        .tiles dt { font-size: 13px; color: var(--soft); }
        .tiles dd { font: 400 28px/1.25 var(--serif); font-variant-numeric: lining-nums tabular-nums; white-space: nowrap; }
        .tiles dd.note { font: 13px/1.4 var(--sans); color: var(--faint); min-height: 1.4em; }
        .tiles .bad dd:not(.note) { color: var(--failed); }
        .states { display: flex; gap: 2px; height: 14px; margin: 28px 0 12px; border-radius: 7px; overflow: hidden; }
        .states i { min-width: 4px; flex-basis: 0; }
        i.sealed { background: var(--sealed); } i.proven { background: var(--proven); }
        i.open { background: var(--open); } i.written { background: var(--written); }
        i.bound { background: var(--bound); } i.failed { background: var(--failed); } i.pending { background: var(--pending); }
        .legend { list-style: none; display: flex; flex-wrap: wrap; gap: 4px 22px; font-size: 13px; color: var(--soft); }
        .legend i, .state i { display: inline-block; width: 9px; height: 9px; border-radius: 50%; margin-right: 7px; }
        .legend b { color: var(--ink); font-weight: 600; }
        .facts { display: flex; flex-wrap: wrap; gap: 12px 40px; margin-top: 28px; padding-top: 20px;
          border-top: 1px solid var(--line); font-size: 13px; }
        .facts dt { color: var(--soft); }
        .facts .hash { min-width: 0; }
        .facts code { overflow-wrap: anywhere; }
        section { margin-top: 52px; }
        h2 { font: 400 23px/1.3 var(--serif); margin-bottom: 14px; }
        code { font: 0.88em/1.5 var(--mono); }
        .chart svg { display: block; overflow: visible; width: calc(100% - 40px); margin: 12px 0 0 40px; }
        .chart text { font: 12px var(--sans); fill: var(--soft); }
        .chart line { stroke-width: 1; shape-rendering: crispEdges; }
        .chart .grid { stroke: var(--line); } .chart .base { stroke: var(--faint); }
        .chart .bars { fill: var(--proven); }
        .chart .average { stroke: var(--ink); stroke-dasharray: 2 4; }
        figcaption { margin-top: 36px; font-size: 13px; color: var(--soft); max-width: 82ch; text-wrap: pretty; }
        table { border-collapse: collapse; width: 100%; font-size: 13px; }
        th { text-align: left; font-weight: 400; }
        thead th { color: var(--soft); border-bottom: 1px solid var(--faint); padding: 0 8px 6px; vertical-align: bottom; }
        tbody th, td { border-bottom: 1px solid var(--line); padding: 6px 8px; vertical-align: top; }
        tr > :first-child { padding-left: 0; } tr > :last-child { padding-right: 0; }
        .n { text-align: right; white-space: nowrap; } .mark { text-align: center; }
        abbr { text-decoration: none; }
        .causes th[scope=row] { white-space: nowrap; font-weight: 600; }
        .causes .share { width: 22%; } .share i { display: block; height: 8px; margin-top: 6px; border-radius: 2px;
          background: var(--failed); opacity: .75; min-width: 2px; }
        .why { color: var(--soft); overflow-wrap: anywhere; } .care .why { color: var(--ink); }
        .do { display: block; color: var(--soft); } .do code { color: var(--ink); white-space: nowrap; }
        .state, .uid, .chip, .time { white-space: nowrap; }
        .plan { overflow-wrap: anywhere; unicode-bidi: plaintext; text-align: left; } .plan.brief { white-space: nowrap; }
        .sum code { display: block; width: 9.5ch; line-height: 1.7; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
        .station { overflow-wrap: anywhere; unicode-bidi: plaintext; }
        .idle { color: var(--faint); }
        .good { color: var(--sealed); } .bad { color: var(--failed); }
        p.note { font-size: 13px; color: var(--soft); margin: 0 0 14px; } table + p.note { margin-top: 10px; }
        .away { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
        footer { margin-top: 56px; padding-top: 20px; border-top: 1px solid var(--line); font-size: 13px; color: var(--soft); }
        footer dl { display: grid; grid-template-columns: max-content 1fr; gap: 3px 20px; margin-bottom: 18px; }
        footer div { display: contents; } footer dt { color: var(--ink); }
        @media screen and (prefers-color-scheme: dark) {
          :root { --paper: #14181a; --card: #1a1f21; --ink: #e6e8e4; --soft: #a0a9a4; --faint: #78817c; --line: #2c3335;
            --sealed: #7fd6b0; --proven: #3f9a78; --open: #a79be0; --written: #5f9ab8; --bound: #d3a24a;
            --failed: #e0756a; --pending: #454c4e; }
        }
        @media (max-width: 700px) {
          main { padding: 32px 18px 48px; }
          header { gap: 20px; align-items: flex-start; margin-bottom: 28px; }
          h1 { font-size: 29px; } .verdict { font-size: 17px; } .ring { width: 76px; height: 76px; margin-top: 4px; }
          .tiles { grid-template-columns: repeat(2, 1fr); } .tiles div { padding: 12px 14px 10px; } .tiles dd { font-size: 23px; }
          section { margin-top: 40px; }
          footer dl { display: block; } footer div { display: block; margin-bottom: 6px; }
        }
        @media screen and (max-width: 700px) {
          table, tbody { display: block; } thead { display: none; }
          tbody tr { display: block; border-bottom: 1px solid var(--line); padding: 10px 0; }
          tbody th, td { display: inline; border: 0; padding: 0 10px 0 0; text-align: left; }
          td:empty { display: none; }
          .care th::before, .rows th::before { content: "Row "; }
          .care th, .rows th { font-weight: 600; }
          .rows .plan::before { content: attr(data-name) " "; color: var(--faint); }
          .rows .plan, .rows .sum, .causes .share, .why { display: block; }
          .rows .bytes:not(:empty)::after { content: " bytes"; color: var(--faint); }
          .causes .share { width: 100%; } .share i { margin: 4px 0; }
          .sum code { width: auto; } .do code { white-space: normal; }
        }
        @page { size: A4; margin: 15mm 13mm 17mm;
          @bottom-right { content: counter(page) " of " counter(pages); font: 8pt sans-serif; color: #5e6962; } }
        @media print {
          body { background: none; font-size: 9.5pt; }
          main { max-width: none; padding: 0; }
          header { margin-bottom: 22pt; } h1 { font-size: 27pt; } .verdict { font-size: 13.5pt; } .ring { width: 86pt; height: 86pt; }
          .tiles { grid-template-columns: repeat(4, 1fr); } .tiles div { padding: 8pt 12pt 7pt; } .tiles dd { font-size: 18pt; }
          .tiles dt, .tiles dd.note, .legend, .facts, figcaption, footer, p.note { font-size: 8pt; }
          section { margin-top: 26pt; } h2 { font-size: 15pt; break-after: avoid-page; }
          table { font-size: 7pt; line-height: 1.4; } tbody th, td { padding: 2.5pt 3.5pt; } thead th { padding: 0 3.5pt 3pt; }
          .state i { width: 5pt; height: 5pt; margin-right: 4pt; } .plan:not(.brief) { min-width: 23mm; }
          .chart, .tiles, .causes, header, tr, footer { break-inside: avoid; }
          thead { display: table-header-group; }
        }
        """
}

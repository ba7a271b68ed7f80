/**
 * Light or dark as the reader’s system is, or as the switch says. Colours are named once; text on them keeps a contrast
 * of 4.5 in both.
 */
export const siteStyle = `:root { color-scheme: light dark; --ground: light-dark(#ffffff, #14171a); --raised: light-dark(#f3f5f7, #1e2327); --line: light-dark(#d0d7de, #3a434b); --text: light-dark(#1c2126, #e3e7ea); --quiet: light-dark(#505a63, #aab4bd); --link: light-dark(#0b57a8, #8cc2ff); --mark: light-dark(#9a3d00, #ffb27a); font: 1rem/1.6 system-ui, sans-serif; }
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 88rem; padding: 0 1rem 4rem; background: var(--ground); color: var(--text); display: grid; grid-template-columns: minmax(0, 1fr); column-gap: 2.5rem; }
@media (min-width: 56rem) { body:not(.wide) { grid-template-columns: 17rem minmax(0, 1fr); } #menu { position: sticky; top: 0; max-height: 100vh; overflow-y: auto; } #menu > summary { display: none; } }
body.wide { max-width: 100rem; }
[hidden], [data-alone] .live { display: none !important; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--mark); outline-offset: 2px; border-radius: 2px; }
main:focus { outline: none; }
.skip { position: absolute; left: 0.5rem; top: -4rem; padding: 0.5rem 1rem; background: var(--ground); border: 2px solid var(--mark); z-index: 9; }
.skip:focus { top: 0.5rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
header { grid-column: 1 / -1; display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 1.5rem; padding: 0.75rem 0; border-bottom: 1px solid var(--line); margin-bottom: 1rem; }
header .name { font-weight: 700; font-size: 1.125rem; color: inherit; text-decoration: none; }
header nav, .contracts { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
header a[aria-current], .contracts a[aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
button, input { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--quiet); border-radius: 0.375rem; padding: 0.25rem 0.75rem; }
header button { margin-left: auto; font-size: 0.875rem; }
#menu { font-size: 0.9375rem; padding-bottom: 1rem; }
#menu > summary { font-weight: 600; padding: 0.25rem 0; }
#menu h2 { font-size: 0.8125rem; margin: 1rem 0 0.25rem; color: var(--quiet); border: 0; padding: 0; }
#menu ul { list-style: none; margin: 0; padding: 0; }
#menu li a { display: block; padding: 0.125rem 0.5rem; border-left: 2px solid transparent; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
#menu li a:hover { text-decoration: underline; }
#menu a[aria-current] { border-color: var(--mark); font-weight: 600; background: var(--raised); }
.search label { display: block; font-weight: 600; }
.search input { width: 100%; }
.search p { margin: 0.25rem 0; color: var(--quiet); min-height: 1.6em; }
main { min-width: 0; }
body:not(.wide) main > :is(p, ul, ol, h1, h2, h3) { max-width: 48rem; }
h1 { font-size: 1.875rem; line-height: 1.25; margin: 0 0 1rem; }
h2 { font-size: 1.375rem; line-height: 1.3; margin: 2rem 0 0.75rem; padding-bottom: 0.25rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.125rem; margin: 1.5rem 0 0.5rem; }
main :is(h2, h3) > a { color: inherit; text-decoration: none; }
main :is(h2, h3) > a:hover { text-decoration: underline; }
code { font: 0.875em/1.5 ui-monospace, monospace; background: var(--raised); padding: 0.1em 0.3em; border-radius: 0.25rem; overflow-wrap: anywhere; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: 0.375rem; padding: 0.75rem 1rem; overflow-x: auto; margin: 0.75rem 0; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.scrolls { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: 0.9375rem; }
th, td { border-bottom: 1px solid var(--line); padding: 0.375rem 1rem 0.375rem 0; text-align: left; vertical-align: top; }
tbody th { font-weight: 400; }
thead th { font-weight: 600; }
th.figure, td.figure { text-align: right; }
.groups { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0 2rem; }
.groups h2 { font-size: 1.0625rem; margin-top: 1rem; }
.groups ul { padding-left: 1.125rem; margin: 0; }
.doors { list-style: none; padding: 0; }
.doors a { font-weight: 600; margin-right: 0.5rem; }
.pair { display: grid; gap: 0 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr)); }
.pair > div { min-width: 0; }
.pair h3 { margin-top: 0.5rem; }
.pair pre { max-height: 28rem; overflow-y: auto; font-size: 0.875rem; }
.routes { padding-left: 1.125rem; }
.drawing { display: block; overflow-x: auto; margin: 1rem 0; }
.drawing svg { max-width: 100%; min-width: 30rem; height: auto; }
`;

/** Light or dark as the reader’s system is, in its own colours; everything that can be reached by keyboard shows it. */
export const auditStyle = `:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 100rem; padding: 1rem; background: Canvas; color: CanvasText; }
form { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; margin-bottom: 1rem; }
label { display: grid; font-weight: 600; }
input, select { font: inherit; font-weight: 400; padding: 0.375rem 0.5rem; border: 1px solid GrayText; border-radius: 0.375rem; }
input { width: 24rem; max-width: 80vw; }
[hidden] { display: none !important; }
.rows { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
caption { text-align: left; font-weight: 600; font-size: 1.125rem; padding: 0.5rem 0; }
th, td { border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: 0.25rem 0.75rem 0.25rem 0; text-align: left; vertical-align: top; font-weight: 400; }
thead th { font-weight: 600; white-space: nowrap; }
code { font: 0.8125rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
th code { display: block; min-width: 22rem; }
a { color: LinkText; }
.none { font-weight: 700; }
:focus-visible { outline: 3px solid #b45309; outline-offset: 2px; }
`;

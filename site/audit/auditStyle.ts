/** What the page of the audit needs besides the style of every page. */
export const auditStyle = `form { display: flex; flex-wrap: wrap; gap: 1rem; align-items: end; margin-bottom: 1rem; }
label { display: grid; font-weight: 600; }
input, select { font: inherit; font-weight: 400; color: inherit; background: var(--raised); padding: 0.375rem 0.5rem; border: 1px solid var(--quiet); border-radius: 0.375rem; }
input { width: 24rem; max-width: 80vw; }
.rows { overflow-x: auto; }
table { width: 100%; font-size: 0.875rem; }
caption { text-align: left; font-weight: 600; font-size: 1.125rem; padding: 0.5rem 0; }
th { font-weight: 400; }
thead th { font-weight: 600; white-space: nowrap; }
th code { display: block; min-width: 22rem; }
td code { white-space: nowrap; }
td:last-child { min-width: 20rem; }
form p { margin: 0 0 0.5rem; }
.none { font-weight: 700; }
`;

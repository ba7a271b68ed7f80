/** Light or dark as the reader’s system is, in its own colours; everything that can be reached by keyboard shows it. */
export const accountStyle = `:root { color-scheme: light dark; font: 1.0625rem/1.5 system-ui, sans-serif; }
body { margin: 0; background: Canvas; color: CanvasText; }
main { max-width: 28rem; margin: 10vh auto 2rem; padding: 0 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
[hidden] { display: none !important; }
form { display: grid; gap: 0.5rem; }
label { margin-top: 0.5rem; font-weight: 600; }
.choice { font-weight: 400; }
input:not([type=checkbox]), button { box-sizing: border-box; width: 100%; padding: 0.625rem 0.75rem; font: inherit; border: 1px solid GrayText; border-radius: 0.375rem; }
button { margin-top: 1rem; background: #1d4ed8; color: #fff; border-color: #1d4ed8; cursor: pointer; }
button:disabled { opacity: 0.6; cursor: progress; }
:focus-visible { outline: 3px solid #f59e0b; outline-offset: 2px; }
p[tabindex]:focus { outline: none; }
#message:not(:empty) { padding: 0.75rem; border: 1px solid currentColor; border-left: 0.375rem solid #dc2626; border-radius: 0.375rem; }
`;

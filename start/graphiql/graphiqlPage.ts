import { createRequire } from 'node:module';
import path from 'node:path';
import { Router } from 'express';
import { explorerScript } from './explorerScript.ts';

const require = createRequire(import.meta.url);

const assets: Readonly<Record<string, string>> = {
  'react.js': fileOf('react', 'umd/react.production.min.js'),
  'react-dom.js': fileOf('react-dom', 'umd/react-dom.production.min.js'),
  'graphiql.js': fileOf('graphiql', 'graphiql.min.js'),
  'graphiql.css': fileOf('graphiql', 'graphiql.min.css'),
};

function fileOf(name: string, file: string): string {
  return path.join(path.dirname(require.resolve(`${name}/package.json`)), file);
}

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Trigate GraphiQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/graphiql/graphiql.css">
<link rel="stylesheet" href="/graphiql/page.css">
</head>
<body>
<a class="skip" href="#graphiql">Skip to the explorer</a>
<header>
<h1>GraphQL explorer</h1>
<form aria-label="Sign in">
<label data-for="password">E-mail <input type="email" name="email" autocomplete="username"></label>
<label data-for="password">Password <input type="password" name="password" autocomplete="current-password"></label>
<label data-for="code" hidden>Code <input name="code" autocomplete="one-time-code"></label>
<button>Sign in</button>
<p id="session" role="status"></p>
</form>
<nav aria-label="Parts"><a href="/docs">Guides</a> <a href="/docs/rest">REST</a> <a href="/audit">Audit</a> <a href="/problems">Errors</a></nav>
</header>
<main id="graphiql" tabindex="-1">Loading the explorer…</main>
<script src="/graphiql/react.js"></script>
<script src="/graphiql/react-dom.js"></script>
<script src="/graphiql/graphiql.js"></script>
<script src="/graphiql/page.js"></script>
</body>
</html>
`;

/** What of GraphiQL’s light colours has less than 4.5 of contrast; its dark ones have it. */
const readable = `--color-tertiary: 188, 100%, 26%; --color-info: 208, 100%, 36%; --color-success: 158, 60%, 26%; --color-warning: 36, 100%, 28%; --color-error: 13, 93%, 40%;`;

const style = `html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; font: 0.9375rem/1.5 system-ui, sans-serif; color-scheme: light dark; background: Canvas; color: CanvasText; }
body.graphiql-light { color-scheme: light; }
body.graphiql-dark { color-scheme: dark; }
#graphiql { flex: 1; min-height: 0; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; padding: 0.5rem 1rem; }
h1 { font-size: 1.0625rem; margin: 0; }
form, nav { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; }
form { flex: 0 1 auto; }
form label { display: flex; flex: 0 1 15rem; gap: 0.5rem; align-items: center; }
form input { flex: 1; min-width: 0; }
[hidden] { display: none !important; }
form input, form button { font: inherit; padding: 0.25rem 0.5rem; }
form p { margin: 0; }
nav a { color: LinkText; }
.skip { position: absolute; left: 0.5rem; top: -4rem; padding: 0.5rem 1rem; background: Canvas; color: CanvasText; border: 2px solid #b45309; z-index: 9; }
.skip:focus { top: 0.5rem; }
:focus-visible { outline: 3px solid #b45309; outline-offset: 2px; }
main:focus { outline: none; }
.graphiql-container, .graphiql-dialog, .CodeMirror-info, .graphiql-tooltip { --alpha-secondary: 0.95; --alpha-tertiary: 0.9; }
@media (prefers-color-scheme: light) { body:not(.graphiql-dark) :is(.graphiql-container, .graphiql-dialog, .CodeMirror-info) { ${readable} } }
body.graphiql-light :is(.graphiql-container, .graphiql-dialog, .CodeMirror-info) { ${readable} }
#graphiql .cm-keyword { color: light-dark(hsl(320, 95%, 36%), hsl(338, 100%, 76%)); }
@media (max-width: 48rem) {
  .graphiql-container #graphiql-session { flex-direction: column; }
  .graphiql-container #graphiql-session > * { min-height: 0; }
  .graphiql-container .graphiql-horizontal-drag-bar { display: none; }
  form label { flex-basis: 100%; }
}
`;

/** The GraphQL explorer, with every byte from this server: it works without any outside host. */
export function graphiqlPage(): Router {
  const router = Router();
  router.use((_request, response, next) => {
    // The editor evaluates nothing and loads nothing from elsewhere; it does set inline styles and blob workers.
    response.setHeader(
      'Content-Security-Policy',
      "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:",
    );
    next();
  });
  router.get('/', (_request, response) => void response.type('html').send(page));
  router.get('/page.css', (_request, response) => void response.type('css').send(style));
  router.get('/page.js', (_request, response) => void response.type('js').send(explorerScript));
  for (const [name, file] of Object.entries(assets)) {
    router.get(`/${name}`, (_request, response) => response.sendFile(file, { maxAge: '1h' }));
  }
  return router;
}

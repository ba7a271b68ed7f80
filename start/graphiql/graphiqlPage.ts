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
<form aria-label="Sign in">
<label data-for="password">E-mail <input type="email" name="email" autocomplete="username"></label>
<label data-for="password">Password <input type="password" name="password" autocomplete="current-password"></label>
<label data-for="code" hidden>Code <input name="code" autocomplete="one-time-code"></label>
<button>Sign in</button>
<p id="session" role="status"></p>
<a href="/docs">Documentation</a> <a href="/docs/rest">REST explorer</a> <a href="/audit">Audit of guards</a>
</form>
<div id="graphiql">Loading the explorer…</div>
<script src="/graphiql/react.js"></script>
<script src="/graphiql/react-dom.js"></script>
<script src="/graphiql/graphiql.js"></script>
<script src="/graphiql/page.js"></script>
</body>
</html>
`;

const style = `html, body { height: 100%; margin: 0; }
body { display: flex; flex-direction: column; font: 0.9375rem/1.5 system-ui, sans-serif; color-scheme: light dark; background: Canvas; color: CanvasText; }
#graphiql { flex: 1; min-height: 0; }
form { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; padding: 0.5rem 1rem; }
[hidden] { display: none !important; }
form input, form button { font: inherit; padding: 0.25rem 0.5rem; }
form p { margin: 0; }
form a { color: LinkText; }
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

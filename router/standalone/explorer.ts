import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/explorer/graphiql.css">
<style>html, body, #graphiql { height: 100%; margin: 0; }</style>
</head>
<body>
<div id="graphiql">Loading the explorer…</div>
<script src="/explorer/react.js"></script>
<script src="/explorer/react-dom.js"></script>
<script src="/explorer/graphiql.js"></script>
<script src="/explorer/page.js"></script>
</body>
</html>
`;

const script = `const fetcher = GraphiQL.createFetcher({ url: '/graphql' });
ReactDOM.createRoot(document.getElementById('graphiql')).render(React.createElement(GraphiQL, { fetcher }));
`;

const files: Readonly<Record<string, readonly [module: string, file: string]>> = {
  'react.js': ['react', 'umd/react.production.min.js'],
  'react-dom.js': ['react-dom', 'umd/react-dom.production.min.js'],
  'graphiql.js': ['graphiql', 'graphiql.min.js'],
  'graphiql.css': ['graphiql', 'graphiql.min.css'],
};

/**
 * Answers the explorer's page and its files, with every byte from this server.
 *
 * @returns false for a path that is none of them
 */
export async function answerExplorer(pathname: string, response: ServerResponse): Promise<boolean> {
  const text = await textOf(pathname);
  if (text === null) return false;
  const type = pathname.endsWith('.js')
    ? 'text/javascript'
    : pathname.endsWith('.css')
      ? 'text/css'
      : 'text/html';
  response
    .writeHead(200, {
      'content-type': `${type}; charset=utf-8`,
      'x-content-type-options': 'nosniff',
      // The editor evaluates nothing and loads nothing from elsewhere; it does set inline styles and blob workers.
      'content-security-policy':
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:",
    })
    .end(text);
  return true;
}

async function textOf(pathname: string): Promise<string | null> {
  if (pathname === '/') return page;
  if (pathname === '/explorer/page.js') return script;
  const [module, file] = files[pathname.replace('/explorer/', '')] ?? [];
  if (module === undefined || file === undefined || !pathname.startsWith('/explorer/')) return null;
  return readFile(path.join(path.dirname(require.resolve(`${module}/package.json`)), file), 'utf8');
}

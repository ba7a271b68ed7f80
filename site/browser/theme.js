// @ts-check
'use strict';

/** Applies light, dark, or the system's colours. Runs in the head of every page of the documentation, before it is painted. */
function applyTheme() {
  let theme = '';
  try {
    theme = localStorage.getItem('theme') ?? '';
  } catch {
    // Without storage the page follows the system.
  }
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const { dataset, classList } = document.documentElement;
  dataset.theme = theme === 'dark' || theme === 'light' ? theme : 'system';
  // The class that Swagger UI reads.
  classList.toggle('dark-mode', dark);
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
document.addEventListener('themechange', applyTheme);
applyTheme();

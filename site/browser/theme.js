// @ts-check
'use strict';

/** Applies light, dark, or the system's colours. Runs in the head of every page, before it is painted. */
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

/** Shows the button that changes the colours, which only works with scripts. */
function startThemeButton() {
  const button = /** @type {HTMLButtonElement} */ (document.getElementById('theme'));
  const { dataset } = document.documentElement;
  const show = () => {
    button.textContent = `Colours: ${dataset.theme}`;
  };
  button.hidden = false;
  show();
  button.addEventListener('click', () => {
    const order = ['system', 'light', 'dark'];
    const next = order[(order.indexOf(dataset.theme ?? '') + 1) % order.length] ?? 'system';
    try {
      localStorage.setItem('theme', next);
    } catch {
      // Without storage the choice holds for this page only.
    }
    document.dispatchEvent(new Event('themechange'));
    dataset.theme = next;
    show();
  });
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);
document.addEventListener('themechange', applyTheme);
document.addEventListener('DOMContentLoaded', startThemeButton);
applyTheme();

const STYLE = `
  dialog {
    box-sizing: border-box; width: min(26rem, 100vw - 2rem); padding: 1.5rem; border: 1px solid;
    border-radius: 8px; color-scheme: light dark; color: CanvasText; background: Canvas;
    font: 16px/1.5 system-ui, sans-serif;
  }
  dialog::backdrop { background: rgb(0 0 0 / 60%); }
  h2 { margin: 0; font-size: 1.25rem; }
  div { display: flex; flex-wrap: wrap; gap: 12px; }
  button { min-height: 44px; padding: 0 1rem; font: inherit; cursor: pointer; }
`;

/**
 * Asks in the bank's place whether the customer is who they are: `complete` or `fail`, and Escape
 * is `fail`. The buttons have the ids that they have at Stripe.
 */
export function askCustomer({ challenge, locale }, { amount, currency }) {
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-labelledby', 'title');
  dialog.setAttribute('aria-describedby', 'question');
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency });
  const question = challenge.question.replace('{amount}', format.format(amount / 100));
  const complete = part('button', 'test-source-authorize-3ds', challenge.complete);
  const fail = part('button', 'test-source-fail-3ds', challenge.fail);
  const buttons = part('div', 'buttons', '');
  buttons.append(complete, fail);
  dialog.append(part('h2', 'title', challenge.title), part('p', 'question', question), buttons);

  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  root.append(dialog);
  document.body.append(host);

  return new Promise((resolve) => {
    complete.addEventListener('click', () => dialog.close('complete'));
    fail.addEventListener('click', () => dialog.close('fail'));
    dialog.addEventListener('keydown', (event) => {
      if (event.key !== 'Tab') return;
      // A modal dialog alone would let the focus go on to the browser's own buttons.
      event.preventDefault();
      (root.activeElement === complete ? fail : complete).focus();
    });
    dialog.addEventListener('close', () => {
      host.remove();
      resolve(dialog.returnValue === 'complete' ? 'complete' : 'fail');
    });
    dialog.showModal();
  });
}

function part(tag, id, text) {
  const node = document.createElement(tag);
  node.id = id;
  node.textContent = text;
  return node;
}

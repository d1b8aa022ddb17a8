import { PAGE_DATA_ID, type PageData } from '@proveklar/contract/page.ts';
import { openAuth } from '#lib/identity.ts';

// The gateway's pages that wait for the session run this before the rest of their code has been loaded: the
// provider needs a second on a slow network to say that the user is still signed in. Without it, as with the
// development server, `createIdentity` asks later.
const data = document.getElementById(PAGE_DATA_ID)?.textContent;
if (data) openAuth((JSON.parse(data) as PageData).config.identity);

import { PAGE_DATA_ID, type PageData } from '@proveklar/contract/page.ts';

/** What the gateway sent along with the page; undefined under the development server. */
export function readPageData(): PageData | undefined {
  const text = document.getElementById(PAGE_DATA_ID)?.textContent;
  return text ? (JSON.parse(text) as PageData) : undefined;
}

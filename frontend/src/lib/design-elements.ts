/**
 * Stands in for `@digdir/designsystemet-web` (see vite.config.ts), the behaviour of the component
 * library's elements. The whole library also has comboboxes, tooltips and popovers, which we do not use:
 * twice as much code on every page with a form. To use `Suggestion`, `Search`, `Popover`, `Tooltip`,
 * `Details`, `Breadcrumbs` or `ErrorSummary`, add its part here.
 */
import '@digdir/designsystemet-web/dialog';
import '@digdir/designsystemet-web/ds-field';
import '@digdir/designsystemet-web/ds-tabs';
import '@digdir/designsystemet-web/fieldset';
import '@digdir/designsystemet-web/focusgroup';
import '@digdir/designsystemet-web/invokers';
import '@digdir/designsystemet-web/readonly';
import '@digdir/designsystemet-web/toggle-group';

/** @public The library's `usePagination` imports it by this name. */
export { pagination } from '@digdir/designsystemet-web/ds-pagination';

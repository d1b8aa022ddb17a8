import { createRootRoute, Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFocusOnNavigation } from './use-focus-on-navigation.ts';
import { useKeptFocus } from './use-kept-focus.ts';

function Root() {
  const { t } = useTranslation();
  useFocusOnNavigation();
  useKeptFocus();
  return (
    <>
      <a className="ds-skip-link" href="#content">
        {t('app.skip_to_content')}
      </a>
      <Outlet />
    </>
  );
}

export const rootRoute = createRootRoute({ component: Root });

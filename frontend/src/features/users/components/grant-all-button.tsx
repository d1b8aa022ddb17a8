import { Button } from '@digdir/designsystemet-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { GrantDaysDialog } from './grant-days-dialog.tsx';

/** Gives days to everybody active, such as after the service was down. */
export function GrantAllButton() {
  const { t } = useTranslation('admin');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        {t('users.grant.all')}
      </Button>
      <GrantDaysDialog to={open ? 'active' : undefined} onClose={() => setOpen(false)} />
    </>
  );
}

import { Textfield } from '@digdir/designsystemet-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './users-screen.module.css';

/** In milliseconds: nobody's list is fetched for every letter. */
const PAUSE = 300;

type UserSearchProps = { email: string; onSearch: (email: string) => void };

export function UserSearch({ email, onSearch }: UserSearchProps) {
  const { t } = useTranslation('admin');
  const [typed, setTyped] = useState(email);
  const [searched, setSearched] = useState(email);

  // Changed from elsewhere: the address, the button that shows all.
  if (email !== searched) {
    setSearched(email);
    setTyped(email);
  }
  const wanted = typed.trim();
  useEffect(() => {
    const pause = setTimeout(() => {
      if (wanted !== email) onSearch(wanted);
    }, PAUSE);
    return () => clearTimeout(pause);
  }, [wanted, email, onSearch]);

  return (
    <search className={styles.search}>
      <Textfield
        type="search"
        label={t('users.search')}
        autoComplete="off"
        maxLength={254}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </search>
  );
}

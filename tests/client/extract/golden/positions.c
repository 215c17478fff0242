/* Largest and smallest elements with where they are: a flag of the iteration, what it is for, other conditions. */
float most;
int place;
void positions(int n, int m, const float x[n], double y[n][m], int k[n], double *least) {
  double low = *least;
  int row = -1, column = -1;
#pragma scop
  for (int i = 1; i < n; i++)
    if (x[i] > most) {
      most = x[i];
      place = i;
    }
  for (int i = 0; i < n; i++)
    for (int j = m - 1; j >= 0; j--) {
      double t = y[i][j];
      if (k[i] > 0 && low >= t) {
        row = i;
        low = t;
        column = j;
      }
    }
#pragma endscop
  *least = low + row + column;
}

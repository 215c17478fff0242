/* Members of several types of the same structures: an array for each type. */
struct cell { float u, v; int kind; _Bool wall; long long id; };
void members_of_types(int n, struct cell *restrict c, const struct cell *restrict d) {
#pragma scop
  for (int i = 1; i < n; i++) {
    c[i].u = c[i].kind * c[i - 1].v + d[i].u;
    c[i].wall = c[i].kind > 2;
    c[i].kind += d[i].kind;
    c[i].id++;
  }
#pragma endscop
}
